"""HTML -> PDF, by the print function of a headless Chromium."""

import os
import shutil
import subprocess
import tempfile

from handouts.program import with_all_memory

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def browser():
    """Path of the browser; None where there is none. WARPGRADE_CHROMIUM names another."""
    return os.environ.get("WARPGRADE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


class NoPdf(Exception):
    """The browser has printed nothing; holds what it said."""


def write(page):
    """Prints a page to a PDF beside it; returns its path."""
    path = page.with_suffix(".pdf")
    path.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="warpgrade-chromium-", ignore_cleanup_errors=True) as profile:
        answer = subprocess.run(
            [browser(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-extensions", f"--user-data-dir={profile}",
             "--no-pdf-header-footer", f"--print-to-pdf={path.resolve()}", page.resolve().as_uri()],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=120,
            preexec_fn=with_all_memory)
    if not path.exists():
        raise NoPdf(f"{page}: {answer.stderr.strip().splitlines()[-1:] or 'no message'}")
    return path
