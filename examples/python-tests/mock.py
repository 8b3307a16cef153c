"""The service's mock as another process, and a browser for its pages. Copy this file into your own tests."""

import html.parser
import http.cookiejar
import json
import os
import shlex
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime

# region command
COMMAND = shlex.split(os.environ.get("SOCIAL_CONNECT_MOCKS", "npx --yes @social-connect/mocks"))
# endregion command
APPLICATION = "http://127.0.0.1:8000"


class Mock:
    """`social-connect-mocks serve`, and its control below `/__mock/`."""

    def __init__(self):
        self.return_url = f"{APPLICATION}/linked"
        options = ["--port", "0", "--now", "2026-06-15T12:00:00Z", "--clock", "manual"]
        options += ["--origin", APPLICATION, "--return-url", self.return_url]
        self._process = subprocess.Popen([*COMMAND, "serve", "--json", *options], stdout=subprocess.PIPE, text=True)
        # One line, once it answers.
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the mock did not start (exit code {self._process.wait()})")
        facts = json.loads(line)
        self.base_url, self.key, self._control = facts["baseUrl"], facts["key"], facts["control"]
        self.tenant = facts["tenantKeys"][0]

    def stop(self):
        self._process.terminate()
        self._process.wait()
        self._process.stdout.close()

    def get(self, path):
        return self._request(path, None, "GET")

    def post(self, path, **fields):
        """Raises a ValueError that says what would have been possible."""
        return self._request(path, json.dumps(fields).encode(), "POST")

    def advance(self, seconds):
        self.post("clock/advance", by=f"{seconds}s")

    def now(self):
        return datetime.fromisoformat(self.get("clock")["now"].replace("Z", "+00:00"))

    def calls(self, operation):
        return self.get(f"calls?operation={operation}")

    def _request(self, path, body, method):
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(f"{self._control}/{path}", body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                raise ValueError(json.load(error)["error"]) from None


class Browser:
    """As much of a browser as a consent takes: cookies, redirects, and one form on a page."""

    def __init__(self, return_url):
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(jar, _StopAt(return_url))
        self._form = None

    def launch(self, url, fields):
        """Posts the launch form, as the application's page does, and is then on the consent page."""
        self._open(url, fields, {"origin": APPLICATION})

    def press(self, decision, account=""):
        """Presses `allow` or `deny` on the consent page; gives the address that the browser comes back to."""
        fields = {**self._form.fields, "decision": decision}
        if account:
            fields["other"] = account
        return self._open(self._form.action, fields)

    def _open(self, url, fields, headers=None):
        data = urllib.parse.urlencode(fields, doseq=True).encode()
        try:
            with self._opener.open(urllib.request.Request(url, data, headers or {}), timeout=60) as response:
                self._form = _Form(response.url, response.read().decode())
                return response.url
        except urllib.error.HTTPError as error:
            with error:
                if error.code != 303:
                    raise AssertionError(f"the page says {error.code}: {error.read().decode()}") from None
                return error.headers["location"]


class _StopAt(urllib.request.HTTPRedirectHandler):
    """Nobody answers at the application's address, so the redirect that leads there ends the journey."""

    def __init__(self, return_url):
        self._return_url = return_url

    def redirect_request(self, request, file, code, message, headers, url):
        if url.startswith(self._return_url):
            return None
        return super().redirect_request(request, file, code, message, headers, url)


class _Form(html.parser.HTMLParser):
    """The first form of a page, with what it would send if nobody touched it."""

    def __init__(self, url, page):
        super().__init__()
        self.action, self.fields = url, {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.action = urllib.parse.urljoin(self.action, given.get("action", ""))
        kind = given.get("type", "text")
        is_chosen = kind in {"hidden", "text"} or "checked" in given
        if tag == "input" and "name" in given and is_chosen and "disabled" not in given:
            self.fields.setdefault(given["name"], []).append(given.get("value", ""))
