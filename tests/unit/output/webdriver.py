# SPDX-License-Identifier: Apache-2.0
#
# A headless Chromium, driven through chromedriver's HTTP protocol: no library is needed for it.
"""A browser for tests of the HTML report."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.request

DEADLINE = 60  # seconds
PERFORMANCE = "performance"


class Browser:
    """One window, closed by `close`."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="coalcheck-browser-")
        self.log = pathlib.Path(self.folder, "driver.log")
        environment = {**os.environ, "HOME": self.folder, "XDG_CACHE_HOME": self.folder}
        with open(self.log, "wb") as log:
            self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=log, stderr=log, env=environment)
        self.session = None
        try:
            self.address = f"http://127.0.0.1:{self.port()}/session"
            self.session = self.start()
        except BaseException:
            self.close()
            raise

    def port(self):
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            for line in self.log.read_text(errors="replace").splitlines():
                if "started successfully on port" in line:
                    return int(line.rstrip(".").rsplit(" ", 1)[1])
            time.sleep(0.05)
        raise TimeoutError("chromedriver did not start")

    def start(self):
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--no-first-run", "--window-size=1300,1000", f"--user-data-dir={self.folder}/profile"]
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments},
                  "goog:loggingPrefs": {"browser": "ALL", PERFORMANCE: "ALL"}}
        return self.ask("", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def ask(self, path, body=None, method="POST"):
        data = None if method in ("GET", "DELETE") else json.dumps(body or {}).encode()
        prefix = f"/{self.session}" if self.session else ""
        request = urllib.request.Request(self.address + prefix + path, data=data, method=method,
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
            return json.load(answer)["value"]

    def open(self, file):
        # The browser's own first page is no business of the test.
        self.ask("/url", {"url": "about:blank"})
        self.requests()
        self.ask("/url", {"url": pathlib.Path(file).resolve().as_uri()})

    def run(self, script, *arguments):
        """What the function body `script` returns in the page."""
        return self.ask("/execute/sync", {"script": script, "args": list(arguments)})

    def press(self, keys):
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def console(self):
        return [entry["message"] for entry in self.ask("/se/log", {"type": "browser"})]

    def requests(self):
        """The addresses that the page asked for."""
        events = [json.loads(entry["message"])["message"] for entry in self.ask("/se/log", {"type": PERFORMANCE})]
        return [event["params"]["request"]["url"] for event in events
                if event["method"] == "Network.requestWillBeSent"]

    def close(self):
        try:
            if self.session:
                self.ask("", method="DELETE")
        finally:
            self.driver.terminate()
            self.driver.wait(DEADLINE)
            shutil.rmtree(self.folder, ignore_errors=True)
