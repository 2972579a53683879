"""What a terminal is to be sent: the encoding of the locale, as it was before Python changed it."""

from __future__ import annotations

import locale
import sys
from collections.abc import Mapping

_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
_UNSET = ("", "C", "POSIX")


def is_coerced(env: Mapping[str, str]) -> bool:
    """Whether Python took the C locale for one of UTF-8, as it does (PEP 538)."""
    return bool(
        sys.flags.utf8_mode
        and env.get("PYTHONUTF8") != "1"
        and not env.get("LC_ALL")
        and env.get("LC_CTYPE") in _COERCED
        and env.get("LANG", "") in _UNSET
    )


def terminal_encoding(env: Mapping[str, str]) -> str:
    """The locale's encoding; ASCII in the C locale."""
    return "ascii" if is_coerced(env) else locale.getencoding()
