"""A browser."""

import shutil

import pytest


@pytest.fixture
async def chromium():
    """A headless Chromium; the test is skipped where there is none, or nothing that drives it."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("Chromium is not installed")
    async with pytest.importorskip("playwright.async_api").async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program)
        yield browser
        await browser.close()
