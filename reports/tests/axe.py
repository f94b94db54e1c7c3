"""axe-core, which looks at a page as a screen reader's user would: from PyPI's axe-core-python, or a newer one that is there."""

import importlib.util
import os
import unittest
from pathlib import Path

PACKAGES = {"axe_playwright_python": "axe.min.js", "axe_core_python": "axe.min.js",
            "axe_selenium_python": "node_modules/axe-core/axe.min.js"}  # newest first
RUN = "axe.run().then(all => all.violations.map(one => [one.id, one.nodes[0].html.slice(0, 200)]))"


def find():
    """Path of axe.min.js; None where there is none. WARPGRADE_AXE names another."""
    if "WARPGRADE_AXE" in os.environ:
        return Path(os.environ["WARPGRADE_AXE"])
    found = (Path(folder) / file for name, file in PACKAGES.items() for spec in [importlib.util.find_spec(name)] if spec
             for folder in spec.submodule_search_locations)
    return next((path for path in found if path.is_file()), None)


needed = unittest.skipUnless(find(), "axe-core is not there (pip install axe-core-python, or WARPGRADE_AXE=axe.min.js): its rules are "
                             "NOT asked")


def violations(browser):
    """[rule, the first element that breaks it] of the page that is open."""
    browser.evaluate(f"(() => {{ {find().read_text(encoding='utf-8')}; window.axe = axe; return 0; }})()")
    return browser.evaluate(RUN)
