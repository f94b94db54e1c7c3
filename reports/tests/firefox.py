"""Headless Firefox over Marionette, the protocol that its WebDriver speaks: no driver, no package. Only what the page tests need."""

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

NAMES = ("firefox-esr", "firefox")
SECONDS = 120  # a busy machine is slow
PREFERENCES = {"marionette.port": 0, "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False, "browser.startup.page": 0,
               "datareporting.policy.dataSubmissionEnabled": False, "network.captive-portal-service.enabled": False,
               "network.connectivity-service.enabled": False, "toolkit.telemetry.enabled": False, "browser.aboutwelcome.enabled": False,
               "extensions.update.enabled": False, "services.settings.server": "data:,"}
ENTER, ARROWS = "\ue007", {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}


def find():
    """Path of the browser; None where there is none. WARPGRADE_FIREFOX names another."""
    return os.environ.get("WARPGRADE_FIREFOX") or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One process, one page at a time."""

    def __init__(self, theme="light"):
        self.folder = tempfile.TemporaryDirectory(prefix="warpgrade-firefox-", ignore_cleanup_errors=True)
        preferences = {**PREFERENCES, "ui.systemUsesDarkTheme": int(theme == "dark"),
                       "layout.css.prefers-color-scheme.content-override": 0 if theme == "dark" else 1}
        (Path(self.folder.name) / "user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()), encoding="utf-8")
        self.process = subprocess.Popen([find(), "--headless", "--marionette", "--no-remote", "--profile", self.folder.name, "about:blank"],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env={**os.environ, "HOME": self.folder.name, "MOZ_HEADLESS": "1"})
        self.number, self.buffer = 0, b""
        self.socket = socket.create_connection(("127.0.0.1", self.port()), SECONDS)
        self.receive()
        self.call("WebDriver:NewSession", capabilities={"alwaysMatch": {"timeouts": {"script": 1000 * SECONDS, "pageLoad": 1000 * SECONDS}}})

    def port(self):
        file, end = Path(self.folder.name) / "MarionetteActivePort", time.monotonic() + SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            if file.exists() and file.read_text(encoding="utf-8"):
                return int(file.read_text(encoding="utf-8"))
            time.sleep(0.1)
        raise RuntimeError(f"Firefox ended with {self.process.poll()}, or said no port in {SECONDS} s")

    def close(self):
        self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def call(self, method, **parameters):
        """The answer to one command."""
        self.number += 1
        text = json.dumps([0, self.number, method, parameters]).encode()
        self.socket.sendall(f"{len(text)}:".encode() + text)
        _, _, error, answer = self.receive()
        if error:
            raise RuntimeError(f"{method}: {error['error']}: {error['message']}")
        return answer

    def receive(self):
        while b":" not in self.buffer:
            self.read()
        length, self.buffer = self.buffer.split(b":", 1)
        while len(self.buffer) < int(length):
            self.read()
        text, self.buffer = self.buffer[:int(length)], self.buffer[int(length):]
        return json.loads(text)

    def read(self):
        piece = self.socket.recv(1 << 20)
        if not piece:
            raise RuntimeError("Firefox ended")
        self.buffer += piece

    def open(self, path, width=1200, height=900):
        """Loads a file in a window of that size."""
        self.call("WebDriver:SetWindowRect", width=width, height=height)
        self.call("WebDriver:Navigate", url=Path(path).resolve().as_uri())

    def evaluate(self, script):
        """The value of a JavaScript expression, or of what it promises."""
        text = f"const done = arguments[arguments.length - 1]; Promise.resolve({script}).then(value => done({{value}}), error => done({{error: String(error)}}))"
        answer = self.call("WebDriver:ExecuteAsyncScript", script=text, args=[], sandbox=None)["value"]
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer.get("value")

    def click(self, selector):
        """By the mouse, in the middle of the first such element."""
        x, y = self.evaluate(f"(() => {{ const one = document.querySelector({json.dumps(selector)}); one.scrollIntoView({{block: 'center'}}); "
                             "const b = one.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        self.call("WebDriver:PerformActions", actions=[{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}])

    def press(self, key):
        key = ENTER if key == "Enter" else ARROWS.get(key, key)
        self.call("WebDriver:PerformActions", actions=[{"type": "key", "id": "keyboard", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}])

    def screenshot(self, path):
        Path(path).write_bytes(base64.b64decode(self.call("WebDriver:TakeScreenshot", full=True, hash=False)["value"]))
