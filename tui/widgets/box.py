"""A container that is seen only through what it contains."""

from __future__ import annotations

from typing import Self

from textual.containers import Container
from textual.geometry import Region


class Box(Container):
    """Lays out panes that cover it, and so has nothing to paint itself."""

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """As any widget's, but a new layout alone repaints nothing: the compositor has done so."""
        return super().refresh(
            *regions, repaint=repaint and not layout, layout=layout, recompose=recompose
        )
