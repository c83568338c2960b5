"""A browser driven by the WebDriver protocol over plain HTTP."""

import base64
import json
import time
import urllib.error
import urllib.request

FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
    "--force-prefers-reduced-motion",
]


class Browser:
    """A session of Chromium behind chromedriver at an address."""

    def __init__(self, driver, profile, size=(1400, 1000)):
        self.driver = driver
        options = {"args": [*FLAGS, f"--user-data-dir={profile}", f"--window-size={size[0]},{size[1]}"]}
        made = self.send("POST", "/session", {"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = f"/session/{made['sessionId']}"

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.driver + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from error

    def post(self, path, body):
        return self.send("POST", self.session + path, body)

    def open(self, url):
        self.post("/url", {"url": url})

    def run(self, script, *arguments):
        return self.post("/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        return self.post("/execute/async", {"script": script, "args": list(arguments)})

    def command(self, name, parameters):
        return self.post("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def wait(self, script, *arguments, what=None, seconds=60):
        """The first true value of a script."""
        end = time.monotonic() + seconds
        while True:
            value = self.run(script, *arguments)
            if value:
                return value
            if time.monotonic() > end:
                message = self.run("return document.getElementById('message')?.textContent ?? document.body.textContent.slice(0, 300)")
                raise AssertionError(f"{what or script} did not come about; the page says: {message}")
            time.sleep(0.05)

    def pointer(self, *steps):
        """Mouse steps: places to go to, `down` and `up`."""
        actions = []
        for step in steps:
            if step == "down" or step == "up":
                actions.append({"type": f"pointer{step.capitalize()}", "button": 0})
            else:
                actions.append({"type": "pointerMove", "duration": 40, "x": round(step[0]), "y": round(step[1])})
        self.post("/actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}]})

    def keys(self, *keys):
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.post("/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def screenshot(self, file):
        file.write_bytes(base64.b64decode(self.send("GET", self.session + "/screenshot")))

    def log(self):
        return self.post("/se/log", {"type": "browser"})

    def close(self):
        self.send("DELETE", self.session)
