"""HTML -> PDF, by the print function of a headless Chromium; what PDF/UA asks for beyond that is added."""

import os
import re
import shutil
import subprocess
import tempfile
from html import unescape

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
    finish(page, path)
    return path


def finish(page, path):
    """Title, language, roles and the names of links, from the page that was printed. Links to pages lead to PDFs."""
    import pikepdf

    from reports import accessible

    html = page.read_text(encoding="utf-8")
    links = re.findall(r'<a [^>]*?href="([^"]*)"[^>]*>(.*?)</a>', html)
    names = {unescape(address): plain(text) for address, text in links}
    folder = page.resolve().parent.as_uri() + "/"
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        actions = [annotation.A for sheet in pdf.pages for annotation in sheet.get("/Annots", []) if "/A" in annotation]
        actions = [action for action in actions if "/URI" in action]
        for action in actions:
            action.URI = pikepdf.String(str(action.URI).removeprefix(folder))
        accessible.finish(pdf, plain(re.search(r"<title>(.*?)</title>", html)[1]),
                          name_of=lambda address: names.get(address) or names.get("#" + address.removeprefix("/")))
        for action in actions:
            action.URI = pikepdf.String(re.sub(r"^(\w+)(?<!_worked)\.html", r"\1.pdf", str(action.URI)))
        pdf.save(path, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return path


def plain(html):
    """The words of a piece of HTML."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())
