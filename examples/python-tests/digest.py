"""A digest of what creators published. Python's standard library, and the service's GraphQL API."""

import json
import time
import urllib.error
import urllib.request
from datetime import datetime, timedelta

CAPABILITIES = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"]
UNFINISHED_ATTEMPT = {"CREATED", "AUTHORIZING", "EXCHANGING"}
UNFINISHED_JOB = {"QUEUED", "RUNNING"}

CONNECT = "mutation ($input: ConnectInput!) { createConnectSession(input: $input) { id launchUrl launchToken } }"
RESULT = """query ($scope: SubjectScope!, $id: ID!) {
  connectSessionResult(scope: $scope, id: $id) { status resultCode connectionId } }"""
REFRESH = """mutation ($scope: SubjectScope!, $connection: ID!, $window: SyncWindow, $cursor: String) {
  requestRefresh(scope: $scope, connectionId: $connection, window: $window, continuationCursor: $cursor) { id } }"""
JOB = """query ($scope: SubjectScope!, $connection: ID!, $id: ID!) {
  syncJob(scope: $scope, connectionId: $connection, id: $id) {
    status errorCode creatorAction nextRetryAt completeForWindow incompleteReason continuationCursor } }"""
CONTENT = """query ($scope: SubjectScope!, $connection: ID!, $window: ContentWindow!) {
  content(scope: $scope, connectionId: $connection, window: $window) {
    items { title publishedAt } pageInfo { endCursor hasNextPage } } }"""
DISCONNECT = """mutation ($scope: SubjectScope!, $connection: ID!) {
  disconnectConnection(scope: $scope, connectionId: $connection) { revokeJobId } }"""


class ServiceError(Exception):
    """The service has answered with a code of the contract."""

    def __init__(self, code, retry_after_seconds=None):
        super().__init__(code)
        self.code = code
        self.retry_after_seconds = retry_after_seconds


class NoAnswer(Exception):
    """The request may have been carried out, or not: there was no answer that can be read."""


class Service:
    """The API for one user of this application."""

    def __init__(self, base_url, key, scope):
        self._url = f"{base_url}/graphql"
        self._headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
        self._scope = scope

    def call(self, document, **variables):
        if "$scope" in document:
            variables["scope"] = self._scope
        body = json.dumps({"query": document, "variables": variables}).encode()
        try:
            request = urllib.request.Request(self._url, body, self._headers)
            with urllib.request.urlopen(request, timeout=60) as response:
                answer = json.load(response)
        except (OSError, ValueError) as error:
            raise NoAnswer(str(error)) from error
        if answer.get("errors"):
            extensions = answer["errors"][0]["extensions"]
            raise ServiceError(extensions["code"], extensions.get("retryAfterSeconds"))
        (value,) = answer["data"].values()
        return value

    def connect(self, provider, return_url, reconnect=None):
        request = {"provider": provider, "capabilities": CAPABILITIES, "returnUrl": return_url, "scope": self._scope}
        if reconnect is not None:
            request["reconnectConnectionId"] = reconnect
        return self.call(CONNECT, input=request)


class Digest:
    """What the application does with it. `sleep` is handed in, so that a test decides how time passes."""

    PATIENCE = 100

    def __init__(self, service, return_url, sleep=time.sleep):
        self._service = service
        self._return_url = return_url
        self._sleep = sleep
        self.connection = None
        self.needs_consent = False
        self._attempt = None

    def begin(self, provider="PROVIDER_A"):
        """The form that takes the browser to the consent: its address and its one field."""
        again = self.connection if self.needs_consent else None
        session = self._service.connect(provider, self._return_url, reconnect=again)
        self._attempt = session["id"]
        return session["launchUrl"], {"launchToken": session["launchToken"]}

    def finish(self):
        """How the attempt ended: `linked`, or the code that says why not."""
        for _ in range(self.PATIENCE):
            result = self._repeat(RESULT, id=self._attempt)
            if result["status"] not in UNFINISHED_ATTEMPT:
                break
            self._sleep(2)
        if result["status"] != "COMPLETED":
            return result["resultCode"] or "UNDECIDED"
        self.connection, self.needs_consent = result["connectionId"], False
        return "linked"

    def titles(self, until, days=7):
        """Titles of the days before a moment, newest first, and whether these are all."""
        after, before = _iso(until - timedelta(days=days)), _iso(until)
        try:
            complete = self._scan({"publishedAfter": after, "publishedBefore": before})
        except ServiceError as error:
            if error.code == "RECONNECT_REQUIRED":
                self.needs_consent = True
                return [], False
            raise
        window, titles = {"publishedAfter": after, "publishedBefore": before, "first": 50}, []
        while True:
            page = self._repeat(CONTENT, connection=self.connection, window=window)
            titles += [item["title"] for item in page["items"]]
            if not page["pageInfo"]["hasNextPage"]:
                return titles, complete
            window["after"] = page["pageInfo"]["endCursor"]

    def leave(self):
        """Whether the consent was given back; False where the person has to remove the app at the provider."""
        connection, self.connection = self.connection, None
        receipt = self._repeat(DISCONNECT, connection=connection)["revokeJobId"]
        job = self._settled(connection, receipt)
        return job["status"] == "SUCCEEDED" and job["creatorAction"] is None

    def _scan(self, window):
        """One scan after the other until the window is covered, or there is no going on."""
        cursor = None
        while True:
            which = {"window": window} if cursor is None else {"cursor": cursor}
            job = self._settled(self.connection, self._repeat(REFRESH, connection=self.connection, **which)["id"])
            if job["errorCode"] is not None:
                raise ServiceError(job["errorCode"])
            cursor = job["continuationCursor"]
            if job["completeForWindow"] or cursor is None:
                return job["completeForWindow"]

    def _settled(self, connection, job_id):
        for _ in range(self.PATIENCE):
            job = self._repeat(JOB, connection=connection, id=job_id)
            if job["status"] not in UNFINISHED_JOB:
                return job
            self._sleep(2)
        raise NoAnswer("the job has not ended")

    def _repeat(self, document, **variables):
        """For what may be sent twice: reads, an identical refresh, a disconnect."""
        for failures in range(10):
            try:
                return self._service.call(document, **variables)
            except NoAnswer:
                self._sleep(failures / 5)
            except ServiceError as error:
                if error.code not in {"RATE_LIMITED", "SYNC_WINDOW_BUSY"}:
                    raise
                self._sleep(error.retry_after_seconds or 2)
        raise NoAnswer("there was no answer to any of ten requests")


def _iso(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
