"""Drives a headless Chromium by its debugging protocol, over a pipe, with Python's own library alone."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


class Browser:
    """A browser with one page; close it, or use it in a with statement."""

    def __init__(self, command="chromium", width=1280, height=900, scale=1, dark=False):
        self.folder = tempfile.mkdtemp(prefix="zoombench-browser-")
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        # Chromium reads from descriptor 3 and writes to 4, which bash puts in place.
        self.process = subprocess.Popen(
            [
                "bash", "-c", f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}', command,
                "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--remote-debugging-pipe", "--disable-dev-shm-usage", "--hide-scrollbars",
                f"--force-device-scale-factor={scale}", f"--window-size={width},{height}",
                f"--user-data-dir={self.folder}", "--disable-background-networking", "--mute-audio",
                "--touch-events=enabled", "about:blank",
            ], pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._buffer = b""
        self._number = 0
        self.session = None
        self.events = []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.call(
            "Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")
        if dark:
            self.call("Emulation.setEmulatedMedia", features=[
                {"name": "prefers-color-scheme", "value": "dark"}])
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=width < 600)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, method, **parameters):
        """Sends a command without waiting for its answer; returns its number."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        return self._number

    def call(self, method, **parameters):
        number = self.send(method, **parameters)
        while True:
            message = self._next()
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            if "method" in message:
                self.events.append(message)

    def _next(self):
        while b"\0" not in self._buffer:
            part = os.read(self._read, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self._buffer += part
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def open(self, address):
        self.call("Page.navigate", url=address)

    def run(self, script):
        """Evaluates a script, waits for what it promises, and returns its value."""
        result = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description"))
        return result["result"].get("value")

    def wait(self, condition, seconds=20):
        """Waits until a script's value is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.run(condition):
                return
            time.sleep(0.02)
        raise RuntimeError(f"after {seconds} s it is not so that {condition}")

    def mouse(self, kind, x, y, force=0.0, pen=False, button="left", modifiers=0, wait=True):
        parameters = dict(
            type=kind, x=x, y=y, button=button if kind != "mouseMoved" else "none",
            buttons=0 if kind == "mouseReleased" else 1, clickCount=1, modifiers=modifiers,
            pointerType="pen" if pen else "mouse", force=force)
        return (self.call if wait else self.send)("Input.dispatchMouseEvent", **parameters)

    def touch(self, kind, points, wait=True):
        """Points as (identifier, x, y, force)."""
        touches = [{"id": i, "x": x, "y": y, "force": force} for i, x, y, force in points]
        return (self.call if wait else self.send)(
            "Input.dispatchTouchEvent", type=kind, touchPoints=touches)

    def screenshot(self, path, whole=True):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
