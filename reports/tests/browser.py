"""Headless Chromium over its debugging pipe: no driver, no port, no package. Only what the page tests need."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SECONDS = 120  # a busy machine is slow


def find():
    """Path of the browser; None where there is none. WARPGRADE_CHROMIUM names another."""
    return os.environ.get("WARPGRADE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One process, one page at a time. Collects what the console says and what is asked of the network."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="warpgrade-chromium-")
        to_child, self.write_end = os.pipe()
        self.read_end, from_child = os.pipe()
        # Chromium reads commands from descriptor 3 and answers on 4; bash moves the pipes there.
        command = ["bash", "-c", f'exec "$@" 3<&{to_child} 4>&{from_child}', "bash", find(), "--headless=new",
                   "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   "--no-first-run", "--hide-scrollbars", "--disable-background-networking", "--disable-extensions",
                   f"--user-data-dir={self.folder.name}", "about:blank"]
        self.process = subprocess.Popen(command, pass_fds=(to_child, from_child), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.buffer, self.number, self.session = b"", 0, None
        self.complaints, self.requests = [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.write_end)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.read_end)
        for _ in range(20):  # its helpers may write to the folder for a moment longer
            try:
                self.folder.cleanup()
                return
            except OSError:
                time.sleep(0.1)

    def call(self, method, **parameters):
        """The answer to one command."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self):
        end = time.monotonic() + SECONDS
        while b"\0" not in self.buffer:
            if not select.select([self.read_end], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError(f"Chromium has not answered for {SECONDS} s")
            piece = os.read(self.read_end, 1 << 20)
            if not piece:
                raise RuntimeError("Chromium ended")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        self.note(message)
        return message

    def note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Log.entryAdded":
            self.complaints.append(parameters["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(parameters["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(str(parameters["args"]))

    def open(self, path, width=1200, height=900, theme="light", media="", scale=1):
        """Loads a file in a window of that size."""
        self.show(width, height, theme, media, scale)
        self.go(Path(path).resolve().as_uri())

    def go(self, address):
        self.complaints, self.requests = [], []
        self.call("Page.navigate", url=address)
        while self.receive().get("method") != "Page.loadEventFired":
            pass

    def show(self, width=1200, height=900, theme="light", media="", scale=1):
        """The page that is open, in another window."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": theme}])

    def evaluate(self, script):
        """The value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def press(self, key, code=None):
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key,
                      windowsVirtualKeyCode={"Tab": 9, "Enter": 13}.get(key, 0), **text)

    def screenshot(self, path, whole=True):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole, format="png")["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def print_pdf(self, path):
        data = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=False)["data"]
        Path(path).write_bytes(base64.b64decode(data))
