import { CAPABILITIES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { ask, CONNECT, connectInput } from "../testing/post.ts";
import { MockMisuseError } from "../util/misuse.ts";
import { type ConsumerMock, createConsumerMock } from "./consumerMock.ts";

/** An unfinished attempt, a linked account with a queued scan, and a disconnected account. */
interface Place {
  readonly mock: ConsumerMock;
  readonly attemptId: string;
  readonly completedId: string;
  readonly connectionId: string;
  readonly scanId: string;
  readonly eraseId: string;
  readonly goneId: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a test in JavaScript may write what no type allows.
type Untyped = any;

/** A control and its command, with the bodies that it rejects. */
interface Misused {
  /** The command; names after a colon are ids of the place. It is a POST unless it has another method. */
  readonly command: string;
  /** The same by the control. */
  readonly call: (place: Omit<Place, "mock"> & { readonly mock: Untyped }, body: Untyped) => unknown;
  readonly rows: readonly (readonly [what: string, body: object | undefined, expected: string])[];
}

async function setUp(): Promise<Place> {
  const mock = createConsumerMock();
  const { connectionId: goneId } = await mock.load("disconnect-settling");
  const attempt = async (provider: string) => {
    const input = connectInput(mock, { provider, capabilities: CAPABILITIES });
    const { data } = await ask<{ createConnectSession: { id: string } }>(mock, CONNECT, input);
    return data?.createConnectSession.id ?? "";
  };
  mock.account("PROVIDER_A", "a");
  mock.account("PROVIDER_C", "a");
  const completedId = await attempt("PROVIDER_B");
  const { connectionId } = mock.connect(completedId).complete();
  const scan = mock.jobs(connectionId ?? "").find(({ kind }) => kind === "SCAN");
  const erase = mock.jobs(goneId).find(({ kind }) => kind === "ERASE");
  const attemptId = await attempt("PROVIDER_C");
  const [scanId, eraseId] = [scan?.id ?? "", erase?.id ?? ""];
  return { mock, attemptId, completedId, connectionId: connectionId ?? "", scanId, eraseId, goneId };
}

const POSSIBLE_NOW = "Possible now: start, run, succeed, fail, retryLater.";

/** Commands without a body, or with only a rejected body. */
const misused = (what: string, command: string, call: Misused["call"], expected: string, body?: object): Misused => ({
  command,
  call,
  rows: [[what, body, expected]],
});

const once = (fault: object) => ({ operation: "*", times: 1, fault });

const MISUSED: readonly Misused[] = [
  // Ids that there are not.
  misused("an attempt", "GET connect/x", ({ mock }) => mock.connect("x"), 'Unknown connect attempt "x". Existing: '),
  misused(
    "a connection",
    "GET connections/x",
    ({ mock }) => mock.connection("x"),
    'Unknown connection "x". Existing: ',
  ),
  misused("a job", "GET jobs/x", ({ mock }) => mock.job("x"), 'Unknown job "x". Existing: '),
  misused("jobs of a connection", "GET jobs?connectionId=x", ({ mock }) => mock.jobs("x"), 'Unknown connection "x".'),
  misused(
    "an identity session",
    "identity/x/deny",
    ({ mock }) => mock.identity("x"),
    "No identity session exists yet.",
  ),
  misused("an application", "applications/x/hold", ({ mock }) => mock.applicationById("x"), "Existing: "),
  misused(
    "a key",
    "applications/:applicationId/keys/x/revoke",
    ({ mock }) => mock.application.revokeKey("x"),
    'Unknown key of the application "x". Existing: ',
  ),
  misused(
    "an admin key",
    "admin/keys/x/revoke",
    ({ mock }) => mock.admin.revokeKey("x"),
    'Unknown admin key "x". Existing: ',
  ),
  misused(
    "an admin",
    "DELETE admin/members/x",
    ({ mock }) => mock.admin.removeMember("x"),
    "Admins: admin@example.test.",
  ),
  misused("a fault", "DELETE faults/x", ({ mock }) => mock.faults.remove("x"), 'Unknown fault "x"'),
  {
    command: "accounts/PROVIDER_A/a/posts/x",
    call: ({ mock }, body) => mock.account("PROVIDER_A", "a").change("x", body),
    rows: [
      ["a post", {}, 'has no post "x". Newest posts: '],
      ["a visibility", { visibility: "odd" }, "Possible: public, unlisted, private, deleted."],
    ],
  },
  misused(
    "a scenario",
    "scenarios/connected-twice",
    ({ mock }) => mock.load("connected-twice"),
    "connected-with-content",
  ),
  // Names that there are not.
  misused(
    "a provider",
    "GET accounts/PROVIDER_Z/a",
    ({ mock }) => mock.account("PROVIDER_Z", "a"),
    `Possible: ${SOCIAL_PROVIDERS.join(", ")}.`,
  ),
  misused(
    "a provider's registration",
    "registrations/PROVIDER_Z/pause",
    ({ mock }) => mock.registration("PROVIDER_Z"),
    "Possible: PROVIDER_A",
  ),
  misused(
    "an account",
    "GET accounts/PROVIDER_A/a%20b",
    ({ mock }) => mock.account("PROVIDER_A", "a b"),
    "Use a name of letters, digits, dots and hyphens. Scripts: deny",
  ),
  misused(
    "calls of an operation",
    "GET calls?operation=contents",
    ({ mock }) => mock.calls.of("contents"),
    '"contents" is not a valid operation. Possible: status',
  ),
  {
    command: "calls/assert",
    call: ({ mock }, { operation, times, sequence }) =>
      sequence === undefined ? mock.calls.assertCalled(operation, times) : mock.calls.assertSequence(sequence),
    rows: [
      ["an operation that is counted", { operation: "contents" }, '"contents" is not a valid operation.'],
      ["an operation of a sequence", { sequence: ["contents"] }, '"contents" is not a valid operation.'],
      ["a number of calls", { operation: "status", times: -1 }, "`times` must be an integer, 0 or more"],
    ],
  },
  {
    command: "issuer/lies",
    call: ({ mock }, { lies }) => mock.lieAboutIdentity(lies),
    rows: [["a lie", { lies: ["white"] }, '"white" is not a valid entry of `lies`. Possible: wrong-nonce']],
  },
  {
    command: "registrations/PROVIDER_A/scopes/DANCE",
    call: ({ mock }, { scopes }) => mock.registration("PROVIDER_A").setScopes("DANCE", scopes),
    rows: [["a capability", { scopes: [] }, "Possible: PROFILE"]],
  },
  misused(
    "no capability at all",
    "registrations/PROVIDER_A/capabilities",
    ({ mock }) => mock.registration("PROVIDER_A").setCapabilities([]),
    "A registration must serve at least one capability.",
    {},
  ),
  {
    command: "connect/:attemptId/complete",
    call: ({ mock, attemptId }, body) => mock.connect(attemptId).complete(body),
    rows: [
      ["an account of no name", { account: null }, "`account` must be a string."],
      [
        "an unknown capability",
        { capabilities: ["DANCE"] },
        '"DANCE" is not a valid entry of `capabilities`. Possible: PROFILE',
      ],
      ["a field of an account", { acount: "a" }, "Unknown field acount. Possible fields: account, capabilities."],
    ],
  },
  {
    command: "connect/:attemptId/fail",
    call: ({ mock, attemptId }, { code }) => mock.connect(attemptId).fail(code),
    rows: [
      ["a resultCode", { code: "toString" }, "Possible: PROVIDER_ERROR, NOT_A_TESTER"],
      ["a mismatch without a reconnect", { code: "ACCOUNT_MISMATCH" }, "Create the session with reconnectConnectionId"],
    ],
  },
  {
    command: "jobs/:scanId/fail",
    call: ({ mock, scanId }, { code }) => mock.job(scanId).fail(code),
    rows: [
      [
        "an errorCode",
        { code: "REVOKE_REJECTED" },
        "is not a valid errorCode of a SCAN job. Possible: UPSTREAM_UNAVAILABLE",
      ],
    ],
  },
  {
    command: "jobs/:scanId/succeed",
    call: ({ mock, scanId }, body) => mock.job(scanId).succeed(body),
    rows: [["an incompleteReason", { incompleteReason: "BORED" }, "Possible: MAX_ITEMS_REACHED"]],
  },
  {
    command: "connections/:connectionId/posts",
    call: ({ mock, connectionId }, body) => mock.connection(connectionId).publish(body),
    rows: [
      ["a form of a post", { form: "reel" }, "is not a valid form of a post at PROVIDER_B. Possible: video, photo."],
      ["a metric value", { metrics: { VIEWS: "-1" } }, "VIEWS must be an integer as a string"],
      ["a metric name", { metrics: { CLAPS: "1" } }, "Possible: VIEWS, LIKES, COMMENTS, SHARES."],
    ],
  },
  // Moves that are not possible.
  misused(
    "an attempt that has ended",
    "connect/:completedId/deny",
    ({ mock, completedId }) => mock.connect(completedId).deny(),
    "is COMPLETED and cannot be denied. Its status is final.",
  ),
  misused(
    "an active connection",
    "connections/:connectionId/resume",
    ({ mock, connectionId }) => mock.connection(connectionId).resume(),
    "is CONNECTED and cannot be resumed. Possible now: loseGrant, endGrant",
  ),
  misused(
    "a disconnected connection",
    "connections/:goneId/suspend",
    ({ mock, goneId }) => mock.connection(goneId).suspend(),
    "is DISCONNECTED and cannot be suspended. Its status is final.",
  ),
  misused(
    "a job that cannot fail",
    "jobs/:eraseId/fail",
    ({ mock, eraseId }) => mock.job(eraseId).fail(),
    "A ERASE job cannot fail at PROVIDER_A. Possible now: start, run, succeed, retryLater.",
  ),
  misused(
    "a published registration",
    "registrations/PROVIDER_A/publish",
    ({ mock }) => mock.registration("PROVIDER_A").publish(),
    "is PUBLISHED and cannot be moved by publish. Possible now: pause, disable.",
  ),
  misused(
    "the last admin",
    "DELETE admin/members/admin@example.test",
    ({ mock }) => mock.admin.removeMember("admin@example.test"),
    "The last admin cannot be removed",
  ),
  // Invalid times and numbers.
  {
    command: "clock/advance",
    call: ({ mock }, { by }) => mock.clock.advance(by ?? Number.NaN),
    rows: [
      ["a negative duration", { by: -1 }, "-1 is not a duration. Pass milliseconds, 0 or more"],
      ["a duration without a unit", { by: "10" }, '"10" is not a duration.'],
      ["an infinite duration", { by: "9999999999d" }, "at most a hundred years"],
      ["an invalid duration", { by: null }, "duration|milliseconds"],
    ],
  },
  {
    command: "clock/set",
    call: ({ mock }, { to }) => mock.clock.set(to),
    rows: [
      ["a time in the past", { to: "2020-01-01" }, "the clock cannot go back. Restore a snapshot"],
      [
        "a date that does not exist",
        { to: "2027-02-30" },
        '"2027-02-30" is not a time. Pass a Date, or a string such as',
      ],
      ["a time without an offset", { to: "2027-01-31T08:00" }, "is not a time."],
    ],
  },
  {
    command: "accounts/PROVIDER_A/a/remove-app",
    call: ({ mock }) => mock.account("PROVIDER_A", "a").removeApp({ at: new Date(mock.clock.now() + 1) }),
    rows: [["a removal in the future", { at: "9000-01-01T00:00:00Z" }, "`at` must not be in the future."]],
  },
  {
    command: "accounts/PROVIDER_C/a/request-deletion",
    call: ({ mock }) => mock.account("PROVIDER_C", "a").requestDeletion({ at: new Date(mock.clock.now() + 1) }),
    rows: [["a request in the future", { at: "9000-01-01T00:00:00Z" }, "`at` must not be in the future."]],
  },
  {
    command: "accounts/PROVIDER_A/a/request-deletion",
    call: ({ mock }) => mock.account("PROVIDER_A", "a").requestDeletion(),
    rows: [["a deletion request", {}, "PROVIDER_A sends no data deletion requests."]],
  },
  {
    command: "provider-faults",
    call: ({ mock }, { provider, call, ...fault }) => mock.providerFaults.add(provider, call, fault),
    rows: [
      ["a failure at a provider", { provider: "PROVIDER_A", call: "list", failure: "sad" }, "Possible: grant_gone"],
      ["a call at a provider", { provider: "PROVIDER_A", call: "dance", status: 500 }, "Possible: any, exchange"],
      ["a successful status", { provider: "PROVIDER_A", call: "any", status: 200 }, "an integer between 400 and 599"],
    ],
  },
  {
    command: "faults",
    call: ({ mock: { faults } }, { operation, times, probability, fault }) => {
      if (probability !== undefined) return faults.chance(probability, operation, fault);
      if (times === undefined) return faults.always(operation, fault);
      return times === 1 ? faults.next(operation, fault) : faults.times(times, operation, fault);
    },
    rows: [
      [
        "an operation",
        { operation: "contents", times: 1, fault: { drop: "after" } },
        '"contents" is not a valid operation. Possible: *, status',
      ],
      [
        "an error code",
        { operation: "content", fault: { code: "TEAPOT" } },
        '"TEAPOT" is not a valid error code of content. Possible: UNAUTHENTICATED',
      ],
      [
        "a code of the other API",
        { operation: "content", fault: { code: "CONFLICT" } },
        '"CONFLICT" is not a valid error code of content.',
      ],
      ["a delay", once({ delay: "soon" }), '"soon" is not a duration.'],
      [
        "seconds",
        once({ code: "RATE_LIMITED", retryAfterSeconds: -1 }),
        "`retryAfterSeconds` must be an integer, 0 or more",
      ],
      ["seconds without a code", once({ drop: "after", retryAfterSeconds: 1 }), "retryAfterSeconds requires a code."],
      ["zero uses", { operation: "*", times: 0, fault: { drop: "after" } }, "must be an integer, 1 or more."],
      [
        "a probability",
        { operation: "*", probability: 1.5, fault: { drop: "after" } },
        "`probability` must be between 0 and 1.",
      ],
      ["an HTTP status", once({ status: 42 }), "`status` must be an integer between 200 and 599."],
      // Invalid shapes.
      [
        "a fault of two kinds",
        once({ status: 500, drop: "after" }),
        "Pass only one of code, status, drop and malformed",
      ],
      ["a fault of no kind", once({}), "Pass one of code, status, delay, drop and malformed"],
      [
        "a missing fault",
        { operation: "*", times: 1 },
        "Pass an object. Possible fields: code, retryAfterSeconds, status",
      ],
      [
        "a misspelled field",
        once({ drop: "after", seconds: 5 }),
        "Unknown field seconds. Possible fields: code, retryAfterSeconds",
      ],
    ],
  },
  {
    command: "admin/keys",
    call: ({ mock }, body) => mock.admin.mintKey(body),
    rows: [
      ["a scope of a key", { scope: "ALL" }, "Possible: READ, WRITE."],
      ["a lifetime", { scope: "READ", lifetimeDays: 0 }, "`lifetimeDays` must be between 1 and 90"],
    ],
  },
  {
    command: "applications/:applicationId/policy",
    call: ({ mock }, body) => mock.application.setPolicy(body),
    rows: [
      ["a policy", { tenantKeys: "acme" }, "`tenantKeys` must be a list of strings"],
      ["a policy with a duplicate", { tenantKeys: ["a", "a"] }, "`tenantKeys` has a duplicate value"],
    ],
  },
  {
    command: "applications",
    call: ({ mock }, body) => mock.createApplication(body),
    rows: [
      ["an origin", { webOrigins: ["https://a.test/x"] }, "An origin must consist of scheme, host and port only"],
      ["a used slug", { slug: "app" }, 'The slug "app" is already used.'],
    ],
  },
  {
    command: "applications/:applicationId/return-urls",
    call: ({ mock }, { url }) => mock.application.addReturnUrl(url),
    rows: [["a return URL", { url: "https://elsewhere.test/" }, "Origins: https://app.example.test."]],
  },
  {
    command: "applications/:applicationId/previews",
    call: ({ mock }, body) => mock.application.setPreviews(body),
    rows: [["a path of previews", { enabled: true, paths: ["x"] }, 'The path "x"']],
  },
  {
    command: "admin/members",
    call: ({ mock }, { email }) => mock.admin.addMember(email),
    rows: [["an email address", { email: "nobody" }, "Enter a valid email address."]],
  },
  {
    command: "restore",
    call: ({ mock }, { snapshot }) => mock.restore(snapshot),
    rows: [
      ["a snapshot", { snapshot: "{}" }, "Use the result of snapshot()"],
      [
        "a part of a snapshot",
        { snapshot: '{"format":"social-connect-mocks/1","state":{}}' },
        "Use the result of snapshot()",
      ],
    ],
  },
];

/** Whether a message has one of the expected parts. */
function expectPart(message: string, expected: string): void {
  expect(
    expected.split("|").some((part) => message.includes(part)),
    message,
  ).toBe(true);
}

async function expectMisuse(work: () => unknown, expected: string): Promise<void> {
  const error = await Promise.resolve()
    .then(work)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MockMisuseError);
  expectPart((error as MockMisuseError).message, expected);
}

describe("rejects a misuse with the valid values, without changes", () => {
  test.each(
    MISUSED.flatMap(({ command, call, rows }) =>
      rows.map(([what, body, expected]) => ({ what, command, call, body, expected })),
    ),
  )("$what", async ({ command, call, body, expected }) => {
    const place = await setUp();
    const { mock } = place;
    const before = mock.snapshot();
    await expectMisuse(() => call(place, body), expected);
    expect(mock.snapshot() === before, "nothing has changed").toBe(true);

    const [, method = "POST", path = ""] = /^(?:(GET|DELETE) )?(.*)$/.exec(command) ?? [];
    const ids: Readonly<Record<string, unknown>> = { ...place, applicationId: mock.application.id };
    const answer = await mock.fetch(
      `${mock.baseUrl}/__mock/${path.replace(/:(\w+)/, (_, name: string) => String(ids[name]))}`,
      { method, ...(body !== undefined && { body: JSON.stringify(body) }) },
    );
    const result = (await answer.json()) as { readonly error: string };
    expect(answer.status, result.error).toBe(400);
    expectPart(result.error, expected);
    expect(mock.snapshot() === before, "nothing has changed").toBe(true);
  });

  test("a person", async () => {
    const { mock } = await setUp();
    await expectMisuse(() => mock.identity("x").signIn("a b"), 'Unknown identity session "x"');
  });

  test("a third key", async () => {
    const { mock } = await setUp();
    await expectMisuse(
      () => [mock.application.issueKey(), mock.application.issueKey()],
      "has 2 active keys already. Revoke one first",
    );
  });

  test("does not start a running job again, and completes it", async () => {
    const { mock, scanId } = await setUp();
    expect(() => mock.job(scanId).fail("CONTENT_NOT_FOUND")).toThrow("is not a valid errorCode of a SCAN job");
    mock.job(scanId).start();
    expect(() => mock.job(scanId).start()).toThrow(POSSIBLE_NOW.replace("start, ", ""));
    expect(mock.job(scanId).succeed().status).toBe("SUCCEEDED");
  });

  test("does not restore a snapshot of a mock with another clock", () => {
    const [still, moving] = [createConsumerMock(), createConsumerMock({ now: "system" })];
    expect(() => still.restore(moving.snapshot())).toThrow(
      "The clock of this mock is manual, and the clock of the snapshot is system.",
    );
    expect(() => moving.restore(still.snapshot())).toThrow(MockMisuseError);
    moving.restore(moving.snapshot());
  });

  test("does not repeat a key that is passed as an id", async () => {
    const { mock } = await setUp();
    const secret = mock.key.split(".")[1] ?? "";
    expect(() => mock.job(mock.key)).toThrow("[redacted]");
    expect(() => mock.job(mock.key)).not.toThrow(secret);
  });
});
