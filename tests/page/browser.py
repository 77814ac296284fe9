# SPDX-License-Identifier: GPL-2.0-or-later
"""Chromium, driven over WebDriver's plain HTTP (Debian: chromium, chromium-driver); no network.

    with Browser(width=1200, height=900) as browser:
        browser.open(path)
        browser.run("return document.title")
"""
import base64
import http.client
import json
import re
import shutil
import subprocess
import tempfile

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # W3C WebDriver's key of an element
PAGE_LOAD_SECONDS = 600
NO_NETWORK = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
              "--disable-background-networking", "--disable-component-update", "--disable-sync",
              "--disable-default-apps", "--host-resolver-rules=MAP * ~NOTFOUND"]


def is_missing():
    """What is not installed; None: all is there."""
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            return program
    return None


class Browser:
    def __init__(self, width=1280, height=900, dark=False, scale=1):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True)
        for line in self.driver.stdout:
            started = re.search(r"started successfully on port (\d+)", line)
            if started:
                break
        else:
            raise RuntimeError("chromedriver did not start")
        self.port = int(started[1])
        arguments = [*NO_NETWORK, f"--user-data-dir={self.profile.name}"]
        options = {"binary": shutil.which("chromium"), "args": arguments}
        self.session = ""
        self.session = "/session/" + self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"}}}})["sessionId"]
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=width < 500)
        self.tell("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.communicate()
            self.profile.cleanup()

    def ask(self, method, path, body=None):
        """One command of WebDriver; its value."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PAGE_LOAD_SECONDS)
        connection.request(method, self.session + path,
                           json.dumps(body or {}) if method == "POST" else None,
                           {"Content-Type": "application/json"})
        value = json.loads(connection.getresponse().read())["value"]
        connection.close()
        if isinstance(value, dict) and "error" in value:
            raise RuntimeError(f"{method} {path}: {value['error']}: {value['message']}")
        return value

    def tell(self, command, **parameters):
        """One command of Chromium's own protocol."""
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, path):
        self.ask("POST", "/url", {"url": f"file://{path}"})

    def run(self, script, *arguments):
        """The value that a script returns."""
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        return self.ask("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.ask("POST", f"/element/{self.find(selector)}/click")

    def type(self, selector, text):
        """Types into an element, key for key."""
        self.ask("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def pointer(self, *steps):
        """Moves, presses and releases the mouse: (x, y), "down", "up"; x, y of the viewport."""
        actions = []
        for step in steps:
            if isinstance(step, str):
                actions.append({"type": "pointerDown" if step == "down" else "pointerUp", "button": 0})
            else:
                actions.append({"type": "pointerMove", "duration": 20, "x": round(step[0]),
                                "y": round(step[1])})
        self.ask("POST", "/actions", {"actions": [{
            "type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
            "actions": actions}]})

    def console(self):
        """What was written to the console since the last call, errors of security included."""
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"})]

    def picture(self, path, whole=False):
        """A screenshot, of all of the page or what is seen, as PNG."""
        shot = self.tell("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))
