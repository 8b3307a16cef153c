import { CAPABILITIES } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { MockMisuseError } from "../util/misuse.ts";
import type { ConsumerMock } from "./consumerMock.ts";
import { createConsumerMock } from "./consumerMock.ts";

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

type Sent = readonly [path: string, body?: object] | readonly ["GET" | "DELETE", string];
interface Misuse {
  readonly of: string;
  /** Untyped, as from a test in JavaScript. */
  readonly here: (place: Omit<Place, "mock"> & { readonly mock: Untyped }) => unknown;
  /** The same over HTTP, if HTTP can express it. */
  readonly sent?: (place: Place) => Sent;
  readonly expected: string;
}
// biome-ignore lint/suspicious/noExplicitAny: a test in JavaScript may write what no type allows.
type Untyped = any;

async function setUp(): Promise<Place> {
  const mock = createConsumerMock();
  const { connectionId: goneId } = await mock.load("disconnect-settling");
  const { scope, returnUrl } = mock;
  const attempt = async (provider: string) => {
    const response = await mock.fetch(`${mock.baseUrl}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${mock.key}` },
      body: JSON.stringify({
        query: "mutation Connect($input: ConnectInput!) { createConnectSession(input: $input) { id } }",
        variables: { input: { scope, provider, capabilities: CAPABILITIES, returnUrl } },
      }),
    });
    return ((await response.json()) as { data: { createConnectSession: { id: string } } }).data.createConnectSession.id;
  };
  mock.account("PROVIDER_A", "a");
  const completedId = await attempt("PROVIDER_B");
  const { connectionId } = mock.connect(completedId).complete();
  const scan = mock.jobs(connectionId ?? "").find(({ kind }) => kind === "SCAN");
  const erase = mock.jobs(goneId).find(({ kind }) => kind === "ERASE");
  const attemptId = await attempt("PROVIDER_C");
  const [scanId, eraseId] = [scan?.id ?? "", erase?.id ?? ""];
  return { mock, attemptId, completedId, connectionId: connectionId ?? "", scanId, eraseId, goneId };
}

const POSSIBLE_NOW = "Possible now: start, run, succeed, fail, retryLater.";

const MISUSES: readonly Misuse[] = [
  // Ids that there are not.
  {
    of: "an attempt",
    here: ({ mock }) => mock.connect("x"),
    sent: () => ["GET", "connect/x"],
    expected: 'Unknown connect attempt "x". Existing: ',
  },
  {
    of: "a connection",
    here: ({ mock }) => mock.connection("x"),
    sent: () => ["GET", "connections/x"],
    expected: 'Unknown connection "x". Existing: ',
  },
  {
    of: "a job",
    here: ({ mock }) => mock.job("x"),
    sent: () => ["GET", "jobs/x"],
    expected: 'Unknown job "x". Existing: ',
  },
  {
    of: "jobs of a connection",
    here: ({ mock }) => mock.jobs("x"),
    sent: () => ["GET", "jobs?connectionId=x"],
    expected: 'Unknown connection "x".',
  },
  {
    of: "an identity session",
    here: ({ mock }) => mock.identity("x"),
    sent: () => ["identity/x/deny"],
    expected: "No identity session exists yet.",
  },
  {
    of: "an application",
    here: ({ mock }) => mock.applicationById("x"),
    sent: () => ["applications/x/hold"],
    expected: "Existing: ",
  },
  {
    of: "a key",
    here: ({ mock }) => mock.application.revokeKey("x"),
    sent: ({ mock }) => [`applications/${mock.application.id}/keys/x/revoke`],
    expected: 'Unknown key of the application "x". Existing: ',
  },
  {
    of: "an admin key",
    here: ({ mock }) => mock.admin.revokeKey("x"),
    sent: () => ["admin/keys/x/revoke"],
    expected: 'Unknown admin key "x". Existing: ',
  },
  {
    of: "an admin",
    here: ({ mock }) => mock.admin.removeMember("x"),
    sent: () => ["DELETE", "admin/members/x"],
    expected: "Admins: admin@example.test.",
  },
  {
    of: "a fault",
    here: ({ mock }) => mock.faults.remove("x"),
    sent: () => ["DELETE", "faults/x"],
    expected: 'Unknown fault "x"',
  },
  {
    of: "a post",
    here: ({ mock }) => mock.account("PROVIDER_A", "a").change("x", {}),
    sent: () => ["accounts/PROVIDER_A/a/posts/x", {}],
    expected: 'has no post "x". Newest posts: ',
  },
  {
    of: "a scenario",
    here: ({ mock }) => mock.load("connected-twice"),
    sent: () => ["scenarios/connected-twice"],
    expected: "connected-with-content",
  },
  // Names that there are not.
  {
    of: "a provider",
    here: ({ mock }) => mock.account("PROVIDER_D", "a"),
    sent: () => ["GET", "accounts/PROVIDER_D/a"],
    expected: "Possible: PROVIDER_A, PROVIDER_B, PROVIDER_C.",
  },
  {
    of: "a provider's registration",
    here: ({ mock }) => mock.registration("PROVIDER_D"),
    sent: () => ["registrations/PROVIDER_D/pause"],
    expected: "Possible: PROVIDER_A",
  },
  {
    of: "an account",
    here: ({ mock }) => mock.account("PROVIDER_A", "a b"),
    sent: () => ["GET", "accounts/PROVIDER_A/a%20b"],
    expected: "Use a name of letters, digits, dots and hyphens. Scripts: deny",
  },
  {
    of: "a removal in the future",
    here: ({ mock }) => mock.account("PROVIDER_A", "a").removeApp({ at: new Date(mock.clock.now() + 1) }),
    sent: () => ["accounts/PROVIDER_A/a/remove-app", { at: "9000-01-01T00:00:00Z" }],
    expected: "`at` must not be in the future.",
  },
  {
    of: "an account of no name",
    here: ({ mock, attemptId }) => mock.connect(attemptId).complete({ account: null }),
    sent: ({ attemptId }) => [`connect/${attemptId}/complete`, { account: null }],
    expected: "`account` must be a string.",
  },
  {
    of: "an operation",
    here: ({ mock }) => mock.faults.next("contents", { drop: "after" }),
    sent: () => ["faults", { operation: "contents", times: 1, fault: { drop: "after" } }],
    expected: '"contents" is not a valid operation. Possible: *, status',
  },
  {
    of: "calls of an operation",
    here: ({ mock }) => mock.calls.of("contents"),
    sent: () => ["GET", "calls?operation=contents"],
    expected: '"contents" is not a valid operation. Possible: status',
  },
  {
    of: "an operation that is counted",
    here: ({ mock }) => mock.calls.assertCalled("contents"),
    sent: () => ["calls/assert", { operation: "contents" }],
    expected: '"contents" is not a valid operation.',
  },
  {
    of: "an operation of a sequence",
    here: ({ mock }) => mock.calls.assertSequence(["contents"]),
    sent: () => ["calls/assert", { sequence: ["contents"] }],
    expected: '"contents" is not a valid operation.',
  },
  {
    of: "an error code",
    here: ({ mock }) => mock.faults.always("content", { code: "TEAPOT" }),
    sent: () => ["faults", { operation: "content", fault: { code: "TEAPOT" } }],
    expected: '"TEAPOT" is not a valid error code of content. Possible: UNAUTHENTICATED',
  },
  {
    of: "a code of the other API",
    here: ({ mock }) => mock.faults.always("content", { code: "CONFLICT" }),
    sent: () => ["faults", { operation: "content", fault: { code: "CONFLICT" } }],
    expected: '"CONFLICT" is not a valid error code of content.',
  },
  {
    of: "a failure at a provider",
    here: ({ mock }) => mock.providerFaults.add("PROVIDER_A", "list", { failure: "sad" }),
    sent: () => ["provider-faults", { provider: "PROVIDER_A", call: "list", failure: "sad" }],
    expected: "Possible: grant_gone",
  },
  {
    of: "a call at a provider",
    here: ({ mock }) => mock.providerFaults.add("PROVIDER_A", "dance", { status: 500 }),
    sent: () => ["provider-faults", { provider: "PROVIDER_A", call: "dance", status: 500 }],
    expected: "Possible: any, exchange",
  },
  {
    of: "a lie",
    here: ({ mock }) => mock.lieAboutIdentity(["white"]),
    sent: () => ["issuer/lies", { lies: ["white"] }],
    expected: '"white" is not a valid entry of `lies`. Possible: wrong-nonce',
  },
  {
    of: "a capability",
    here: ({ mock }) => mock.registration("PROVIDER_A").setScopes("DANCE", []),
    sent: () => ["registrations/PROVIDER_A/scopes/DANCE", { scopes: [] }],
    expected: "Possible: PROFILE",
  },
  {
    of: "no capability at all",
    here: ({ mock }) => mock.registration("PROVIDER_A").setCapabilities([]),
    sent: () => ["registrations/PROVIDER_A/capabilities", {}],
    expected: "A registration must serve at least one capability.",
  },
  {
    of: "a resultCode",
    here: ({ mock, attemptId }) => mock.connect(attemptId).fail("toString"),
    sent: ({ attemptId }) => [`connect/${attemptId}/fail`, { code: "toString" }],
    expected: "Possible: PROVIDER_ERROR, NOT_A_TESTER",
  },
  {
    of: "an errorCode",
    here: ({ mock, scanId }) => mock.job(scanId).fail("REVOKE_REJECTED"),
    sent: ({ scanId }) => [`jobs/${scanId}/fail`, { code: "REVOKE_REJECTED" }],
    expected: "is not a valid errorCode of a SCAN job. Possible: UPSTREAM_UNAVAILABLE",
  },
  {
    of: "an incompleteReason",
    here: ({ mock, scanId }) => mock.job(scanId).succeed({ incompleteReason: "BORED" }),
    sent: ({ scanId }) => [`jobs/${scanId}/succeed`, { incompleteReason: "BORED" }],
    expected: "Possible: MAX_ITEMS_REACHED",
  },
  {
    of: "a visibility",
    here: ({ mock }) => mock.account("PROVIDER_A", "a").change("x", { visibility: "odd" }),
    sent: () => ["accounts/PROVIDER_A/a/posts/x", { visibility: "odd" }],
    expected: "Possible: public, unlisted, private, deleted.",
  },
  {
    of: "a form of a post",
    here: ({ mock, connectionId }) => mock.connection(connectionId).publish({ form: "reel" }),
    sent: ({ connectionId }) => [`connections/${connectionId}/posts`, { form: "reel" }],
    expected: "is not a valid form of a post at PROVIDER_B. Possible: video.",
  },
  {
    of: "a scope of a key",
    here: ({ mock }) => mock.admin.mintKey({ scope: "ALL" }),
    sent: () => ["admin/keys", { scope: "ALL" }],
    expected: "Possible: READ, WRITE.",
  },
  { of: "a person", here: ({ mock }) => mock.identity("x").signIn("a b"), expected: 'Unknown identity session "x"' },
  // Moves that are not possible.
  {
    of: "an attempt that has ended",
    here: ({ mock, completedId }) => mock.connect(completedId).deny(),
    sent: ({ completedId }) => [`connect/${completedId}/deny`],
    expected: "is COMPLETED and cannot be denied. Its status is final.",
  },
  {
    of: "a mismatch without a reconnect",
    here: ({ mock, attemptId }) => mock.connect(attemptId).fail("ACCOUNT_MISMATCH"),
    sent: ({ attemptId }) => [`connect/${attemptId}/fail`, { code: "ACCOUNT_MISMATCH" }],
    expected: "Create the session with reconnectConnectionId",
  },
  {
    of: "an active connection",
    here: ({ mock, connectionId }) => mock.connection(connectionId).resume(),
    sent: ({ connectionId }) => [`connections/${connectionId}/resume`],
    expected: "is CONNECTED and cannot be resumed. Possible now: loseGrant, endGrant",
  },
  {
    of: "a disconnected connection",
    here: ({ mock, goneId }) => mock.connection(goneId).suspend(),
    sent: ({ goneId }) => [`connections/${goneId}/suspend`],
    expected: "is DISCONNECTED and cannot be suspended. Its status is final.",
  },
  {
    of: "a job that cannot fail",
    here: ({ mock, eraseId }) => mock.job(eraseId).fail(),
    sent: ({ eraseId }) => [`jobs/${eraseId}/fail`],
    expected: "A ERASE job cannot fail at PROVIDER_A. Possible now: start, run, succeed, retryLater.",
  },
  {
    of: "a published registration",
    here: ({ mock }) => mock.registration("PROVIDER_A").publish(),
    sent: () => ["registrations/PROVIDER_A/publish"],
    expected: "is PUBLISHED and cannot be moved by publish. Possible now: pause, disable.",
  },
  {
    of: "the last admin",
    here: ({ mock }) => mock.admin.removeMember("admin@example.test"),
    sent: () => ["DELETE", "admin/members/admin@example.test"],
    expected: "The last admin cannot be removed",
  },
  {
    of: "a third key",
    here: ({ mock }) => [mock.application.issueKey(), mock.application.issueKey()],
    expected: "has 2 active keys already. Revoke one first",
  },
  {
    of: "an unknown capability",
    here: ({ mock, attemptId }) => mock.connect(attemptId).complete({ capabilities: ["DANCE"] }),
    sent: ({ attemptId }) => [`connect/${attemptId}/complete`, { capabilities: ["DANCE"] }],
    expected: '"DANCE" is not a valid entry of `capabilities`. Possible: PROFILE',
  },
  // Invalid times and numbers.
  {
    of: "a negative duration",
    here: ({ mock }) => mock.clock.advance(-1),
    sent: () => ["clock/advance", { by: -1 }],
    expected: "-1 is not a duration. Pass milliseconds, 0 or more",
  },
  {
    of: "a duration without a unit",
    here: ({ mock }) => mock.clock.advance("10"),
    sent: () => ["clock/advance", { by: "10" }],
    expected: '"10" is not a duration.',
  },
  {
    of: "an infinite duration",
    here: ({ mock }) => mock.clock.advance("9999999999d"),
    sent: () => ["clock/advance", { by: "9999999999d" }],
    expected: "at most a hundred years",
  },
  {
    of: "an invalid duration",
    here: ({ mock }) => mock.clock.advance(Number.NaN),
    sent: () => ["clock/advance", { by: null }],
    expected: "duration|milliseconds",
  },
  {
    of: "a time in the past",
    here: ({ mock }) => mock.clock.set("2020-01-01"),
    sent: () => ["clock/set", { to: "2020-01-01" }],
    expected: "the clock cannot go back. Restore a snapshot",
  },
  {
    of: "a date that does not exist",
    here: ({ mock }) => mock.clock.set("2027-02-30"),
    sent: () => ["clock/set", { to: "2027-02-30" }],
    expected: '"2027-02-30" is not a time. Pass a Date, or a string such as',
  },
  {
    of: "a time without an offset",
    here: ({ mock }) => mock.clock.set("2027-01-31T08:00"),
    sent: () => ["clock/set", { to: "2027-01-31T08:00" }],
    expected: "is not a time.",
  },
  {
    of: "a delay",
    here: ({ mock }) => mock.faults.always("*", { delay: "soon" }),
    sent: () => ["faults", { operation: "*", fault: { delay: "soon" } }],
    expected: '"soon" is not a duration.',
  },
  {
    of: "seconds",
    here: ({ mock }) => mock.faults.always("*", { code: "RATE_LIMITED", retryAfterSeconds: -1 }),
    sent: () => ["faults", { operation: "*", fault: { code: "RATE_LIMITED", retryAfterSeconds: -1 } }],
    expected: "`retryAfterSeconds` must be an integer, 0 or more",
  },
  {
    of: "seconds without a code",
    here: ({ mock }) => mock.faults.always("*", { drop: "after", retryAfterSeconds: 1 }),
    sent: () => ["faults", { operation: "*", fault: { drop: "after", retryAfterSeconds: 1 } }],
    expected: "retryAfterSeconds requires a code.",
  },
  {
    of: "zero uses",
    here: ({ mock }) => mock.faults.times(0, "*", { drop: "after" }),
    sent: () => ["faults", { operation: "*", times: 0, fault: { drop: "after" } }],
    expected: "must be an integer, 1 or more.",
  },
  {
    of: "a probability",
    here: ({ mock }) => mock.faults.chance(1.5, "*", { drop: "after" }),
    sent: () => ["faults", { operation: "*", probability: 1.5, fault: { drop: "after" } }],
    expected: "`probability` must be between 0 and 1.",
  },
  {
    of: "an HTTP status",
    here: ({ mock }) => mock.faults.next("*", { status: 42 }),
    sent: () => ["faults", { operation: "*", times: 1, fault: { status: 42 } }],
    expected: "`status` must be an integer between 200 and 599.",
  },
  {
    of: "a successful status",
    here: ({ mock }) => mock.providerFaults.add("PROVIDER_A", "any", { status: 200 }),
    sent: () => ["provider-faults", { provider: "PROVIDER_A", call: "any", status: 200 }],
    expected: "an integer between 400 and 599",
  },
  {
    of: "a lifetime",
    here: ({ mock }) => mock.admin.mintKey({ scope: "READ", lifetimeDays: 0 }),
    sent: () => ["admin/keys", { scope: "READ", lifetimeDays: 0 }],
    expected: "`lifetimeDays` must be between 1 and 90",
  },
  {
    of: "a number of calls",
    here: ({ mock }) => mock.calls.assertCalled("status", -1),
    sent: () => ["calls/assert", { operation: "status", times: -1 }],
    expected: "`times` must be an integer, 0 or more",
  },
  {
    of: "a metric value",
    here: ({ mock, connectionId }) => mock.connection(connectionId).publish({ metrics: { VIEWS: "-1" } }),
    sent: ({ connectionId }) => [`connections/${connectionId}/posts`, { metrics: { VIEWS: "-1" } }],
    expected: "VIEWS must be an integer as a string",
  },
  {
    of: "a metric name",
    here: ({ mock, connectionId }) => mock.connection(connectionId).publish({ metrics: { CLAPS: "1" } }),
    sent: ({ connectionId }) => [`connections/${connectionId}/posts`, { metrics: { CLAPS: "1" } }],
    expected: "Possible: VIEWS, LIKES, COMMENTS, SHARES.",
  },
  // Invalid shapes.
  {
    of: "a fault of two kinds",
    here: ({ mock }) => mock.faults.next("*", { status: 500, drop: "after" }),
    sent: () => ["faults", { operation: "*", times: 1, fault: { status: 500, drop: "after" } }],
    expected: "Pass only one of code, status, drop and malformed",
  },
  {
    of: "a fault of no kind",
    here: ({ mock }) => mock.faults.next("*", {}),
    sent: () => ["faults", { operation: "*", times: 1, fault: {} }],
    expected: "Pass one of code, status, delay, drop and malformed",
  },
  {
    of: "a missing fault",
    here: ({ mock }) => mock.faults.next("*"),
    sent: () => ["faults", { operation: "*", times: 1 }],
    expected: "Pass an object. Possible fields: code, retryAfterSeconds, status",
  },
  {
    of: "a misspelled field",
    here: ({ mock }) => mock.faults.next("*", { drop: "after", seconds: 5 }),
    sent: () => ["faults", { operation: "*", times: 1, fault: { drop: "after", seconds: 5 } }],
    expected: "Unknown field seconds. Possible fields: code, retryAfterSeconds",
  },
  {
    of: "a field of an account",
    here: ({ mock, attemptId }) => mock.connect(attemptId).complete({ acount: "a" }),
    sent: ({ attemptId }) => [`connect/${attemptId}/complete`, { acount: "a" }],
    expected: "Unknown field acount. Possible fields: account, capabilities.",
  },
  {
    of: "a policy",
    here: ({ mock }) => mock.application.setPolicy({ tenantKeys: "acme" }),
    sent: ({ mock }) => [`applications/${mock.application.id}/policy`, { tenantKeys: "acme" }],
    expected: "`tenantKeys` must be a list of strings",
  },
  {
    of: "a policy with a duplicate",
    here: ({ mock }) => mock.application.setPolicy({ tenantKeys: ["a", "a"] }),
    sent: ({ mock }) => [`applications/${mock.application.id}/policy`, { tenantKeys: ["a", "a"] }],
    expected: "`tenantKeys` has a duplicate value",
  },
  {
    of: "an origin",
    here: ({ mock }) => mock.createApplication({ webOrigins: ["https://a.test/x"] }),
    sent: () => ["applications", { webOrigins: ["https://a.test/x"] }],
    expected: "An origin must consist of scheme, host and port only",
  },
  {
    of: "a used slug",
    here: ({ mock }) => mock.createApplication({ slug: "app" }),
    sent: () => ["applications", { slug: "app" }],
    expected: 'The slug "app" is already used.',
  },
  {
    of: "a return URL",
    here: ({ mock }) => mock.application.addReturnUrl("https://elsewhere.test/"),
    sent: ({ mock }) => [`applications/${mock.application.id}/return-urls`, { url: "https://elsewhere.test/" }],
    expected: "Origins: https://app.example.test.",
  },
  {
    of: "a path of previews",
    here: ({ mock }) => mock.application.setPreviews({ enabled: true, paths: ["x"] }),
    sent: ({ mock }) => [`applications/${mock.application.id}/previews`, { enabled: true, paths: ["x"] }],
    expected: 'The path "x"',
  },
  {
    of: "an email address",
    here: ({ mock }) => mock.admin.addMember("nobody"),
    sent: () => ["admin/members", { email: "nobody" }],
    expected: "Enter a valid email address.",
  },
  {
    of: "a snapshot",
    here: ({ mock }) => mock.restore("{}"),
    sent: () => ["restore", { snapshot: "{}" }],
    expected: "Use the result of snapshot()",
  },
  {
    of: "a part of a snapshot",
    here: ({ mock }) => mock.restore('{"format":"social-connect-mocks/1","state":{}}'),
    sent: () => ["restore", { snapshot: '{"format":"social-connect-mocks/1","state":{}}' }],
    expected: "Use the result of snapshot()",
  },
];

describe("rejects a misuse with the valid values, without changes", () => {
  test.each(MISUSES)("$of", async ({ here, sent, expected }) => {
    const place = await setUp();
    const before = place.mock.snapshot();
    const error = await Promise.resolve()
      .then(() => here(place))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MockMisuseError);
    const { message } = error as MockMisuseError;
    expect(
      expected.split("|").some((part) => message.includes(part)),
      message,
    ).toBe(true);
    if (sent === undefined) return;
    expect(place.mock.snapshot() === before, "nothing has changed").toBe(true);

    const [first, second] = sent(place);
    const isRead = first === "GET" || first === "DELETE";
    const [method, path, body] = isRead ? [first, second as string, undefined] : ["POST", first, second];
    const answer = await place.mock.fetch(`${place.mock.baseUrl}/__mock/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const result = (await answer.json()) as { readonly error: string };
    expect(answer.status, result.error).toBe(400);
    expect(
      expected.split("|").some((part) => result.error.includes(part)),
      result.error,
    ).toBe(true);
    expect(place.mock.snapshot() === before, "nothing has changed").toBe(true);
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
    expect(() => still.restore(moving.snapshot())).toThrow("cannot restore a snapshot of a mock with the system clock");
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

test.each<[object, string]>([
  [{ sede: 1 }, "Unknown field sede. Possible fields: seed, now"],
  [{ seed: {} }, "`seed` must be a string or a number."],
  [{ now: "yesterday" }, "is not a time."],
  [{ now: "2026-01-31T08:00" }, "is not a time."],
  [{ now: 9e15 }, "is not a time."],
  [{ now: "system", advancePerRequest: "1s" }, "requires a manual clock"],
  [{ advancePerRequest: -1 }, "is not a duration."],
  [{ jitter: 1 }, "`jitter` must be a number from 0 to below 1."],
  [{ baseUrl: "nowhere" }, "`baseUrl` must be an absolute http or https URL"],
  [{ mode: "production" }, "Possible: sandbox, live."],
  [{ strict: "no" }, "`strict` must be true or false."],
  [{ previewOriginTemplate: "https://preview.example.test" }, "{label} as its first DNS label"],
  [{ application: { tenants: ["a"] } }, "Unknown field tenants. Possible fields: tenantKeys"],
  [{ application: { providers: ["PROVIDER_D"] } }, "Possible: PROVIDER_A"],
  [{ application: { slug: "A B" } }, "`slug` must have 1 to 63"],
  [{ application: { returnUrls: ["https://elsewhere.test/"] } }, "must use one of the application's web origins"],
  [{ application: { testers: "nobody" } }, "a list of accounts"],
])("does not create a mock with %j", (options, expected) => {
  expect(() => createConsumerMock(options as never)).toThrow(MockMisuseError);
  expect(() => createConsumerMock(options as never)).toThrow(expected);
});

test.each([
  ["POST", "connect", "POST /__mock/connect/:id/complete"],
  ["PUT", "reset", "POST /__mock/reset"],
  ["POST", "%ff", "GET /__mock/scenarios"],
])("%s /__mock/%s returns the list of commands", async (method, path, command) => {
  const mock = createConsumerMock();
  const answer = await mock.fetch(`${mock.baseUrl}/__mock/${path}`, { method });
  expect(answer.status).toBe(404);
  expect(((await answer.json()) as { error: string }).error).toContain(command);
});

test.each(["{", "[]", "5", "null", '"text"'])("rejects the body %s", async (body) => {
  const mock = createConsumerMock();
  const answer = await mock.fetch(`${mock.baseUrl}/__mock/reset`, { method: "POST", body });
  expect(answer.status).toBe(400);
});

test("rejects unknown query parameters", async () => {
  const mock = createConsumerMock();
  const read = async (path: string) => (await mock.fetch(`${mock.baseUrl}/__mock/${path}`)).json();
  expect(await read("calls?operaton=status")).toEqual({ error: "Unknown field operaton. Possible fields: operation." });
  expect(await read("clock?to=2027")).toEqual({ error: "Unknown field to. Possible fields: none." });
});
