"""A student's report: report.html and report.pdf, from one result."""

import multiprocessing
from pathlib import Path

from reports.page import write_page


def write_report(result, folder, with_pdf=True):
    """Writes both into the folder, making it; returns their paths. The PDF is drawn beside the page on another core."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if not with_pdf:
        return [write_page(result, folder / "report.html")]
    from reports.pdf import write_pdf

    drawing = multiprocessing.get_context("fork").Process(target=write_pdf, args=(result, folder / "report.pdf"))
    drawing.start()
    try:
        page = write_page(result, folder / "report.html")
    finally:
        drawing.join()
    if drawing.exitcode != 0:
        raise RuntimeError(f"drawing {folder / 'report.pdf'} ended with exit code {drawing.exitcode}")
    return [page, folder / "report.pdf"]
