import { CAPABILITIES } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { MockMisuseError } from "../util/misuse.ts";
import type { ConsumerMock } from "./consumerMock.ts";
import { createConsumerMock } from "./consumerMock.ts";

/** What there is to misuse: an attempt under way, a linked account with a scan to come, one that is disconnected. */
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
  /** The same over HTTP; left out where only a program can pass it. */
  readonly sent?: (place: Place) => Sent;
  readonly said: string;
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
    said: 'There is no connect attempt "x". There are: ',
  },
  {
    of: "a connection",
    here: ({ mock }) => mock.connection("x"),
    sent: () => ["GET", "connections/x"],
    said: 'There is no connection "x". There are: ',
  },
  {
    of: "a job",
    here: ({ mock }) => mock.job("x"),
    sent: () => ["GET", "jobs/x"],
    said: 'There is no job "x". There are: ',
  },
  {
    of: "jobs of a connection",
    here: ({ mock }) => mock.jobs("x"),
    sent: () => ["GET", "jobs?connectionId=x"],
    said: 'There is no connection "x".',
  },
  {
    of: "an identity session",
    here: ({ mock }) => mock.identity("x"),
    sent: () => ["identity/x/deny"],
    said: "There is no identity session yet.",
  },
  {
    of: "an application",
    here: ({ mock }) => mock.applicationById("x"),
    sent: () => ["applications/x/hold"],
    said: "There are: ",
  },
  {
    of: "a key",
    here: ({ mock }) => mock.application.revokeKey("x"),
    sent: ({ mock }) => [`applications/${mock.application.id}/keys/x/revoke`],
    said: 'There is no key of the application "x". There are: ',
  },
  {
    of: "an admin key",
    here: ({ mock }) => mock.admin.revokeKey("x"),
    sent: () => ["admin/keys/x/revoke"],
    said: 'There is no admin key "x". There are: ',
  },
  {
    of: "an admin",
    here: ({ mock }) => mock.admin.removeMember("x"),
    sent: () => ["DELETE", "admin/members/x"],
    said: "There are: admin@example.test.",
  },
  {
    of: "a fault",
    here: ({ mock }) => mock.faults.remove("x"),
    sent: () => ["DELETE", "faults/x"],
    said: 'There is no fault "x"',
  },
  {
    of: "a post",
    here: ({ mock }) => mock.account("PROVIDER_A", "a").change("x", {}),
    sent: () => ["accounts/PROVIDER_A/a/posts/x", {}],
    said: 'has no post "x". Its newest: ',
  },
  {
    of: "a scenario",
    here: ({ mock }) => mock.load("connected-twice"),
    sent: () => ["scenarios/connected-twice"],
    said: "connected-with-content",
  },
  // Names that there are not.
  {
    of: "a provider",
    here: ({ mock }) => mock.account("PROVIDER_D", "a"),
    sent: () => ["GET", "accounts/PROVIDER_D/a"],
    said: "Possible: PROVIDER_A, PROVIDER_B, PROVIDER_C.",
  },
  {
    of: "a provider's registration",
    here: ({ mock }) => mock.registration("PROVIDER_D"),
    sent: () => ["registrations/PROVIDER_D/pause"],
    said: "Possible: PROVIDER_A",
  },
  {
    of: "an account",
    here: ({ mock }) => mock.account("PROVIDER_A", "a b"),
    sent: () => ["GET", "accounts/PROVIDER_A/a%20b"],
    said: "Any name of letters, digits, dots and hyphens will do; scripted are: deny",
  },
  {
    of: "a removal that lies ahead",
    here: ({ mock }) => mock.account("PROVIDER_A", "a").removeApp({ at: new Date(mock.clock.now() + 1) }),
    sent: () => ["accounts/PROVIDER_A/a/remove-app", { at: "9000-01-01T00:00:00Z" }],
    said: "The moment of a removal lies in the mock's past.",
  },
  {
    of: "an account of no name",
    here: ({ mock, attemptId }) => mock.connect(attemptId).complete({ account: null }),
    sent: ({ attemptId }) => [`connect/${attemptId}/complete`, { account: null }],
    said: "The field account is a text.",
  },
  {
    of: "an operation",
    here: ({ mock }) => mock.faults.next("contents", { drop: "after" }),
    sent: () => ["faults", { operation: "contents", times: 1, fault: { drop: "after" } }],
    said: '"contents" is no operation. Possible: *, status',
  },
  {
    of: "calls of an operation",
    here: ({ mock }) => mock.calls.of("contents"),
    sent: () => ["GET", "calls?operation=contents"],
    said: '"contents" is no operation. Possible: status',
  },
  {
    of: "an operation that is counted",
    here: ({ mock }) => mock.calls.assertCalled("contents"),
    sent: () => ["calls/assert", { operation: "contents" }],
    said: '"contents" is no operation.',
  },
  {
    of: "an operation of a sequence",
    here: ({ mock }) => mock.calls.assertSequence(["contents"]),
    sent: () => ["calls/assert", { sequence: ["contents"] }],
    said: '"contents" is no operation.',
  },
  {
    of: "an error code",
    here: ({ mock }) => mock.faults.always("content", { code: "TEAPOT" }),
    sent: () => ["faults", { operation: "content", fault: { code: "TEAPOT" } }],
    said: '"TEAPOT" is no error code of content. Possible: UNAUTHENTICATED',
  },
  {
    of: "a code of the other API",
    here: ({ mock }) => mock.faults.always("content", { code: "CONFLICT" }),
    sent: () => ["faults", { operation: "content", fault: { code: "CONFLICT" } }],
    said: '"CONFLICT" is no error code of content.',
  },
  {
    of: "a failure at a provider",
    here: ({ mock }) => mock.providerFaults.add("PROVIDER_A", "list", { failure: "sad" }),
    sent: () => ["provider-faults", { provider: "PROVIDER_A", call: "list", failure: "sad" }],
    said: "Possible: grant_gone",
  },
  {
    of: "a call at a provider",
    here: ({ mock }) => mock.providerFaults.add("PROVIDER_A", "dance", { status: 500 }),
    sent: () => ["provider-faults", { provider: "PROVIDER_A", call: "dance", status: 500 }],
    said: "Possible: any, exchange",
  },
  {
    of: "a lie",
    here: ({ mock }) => mock.lieAboutIdentity(["white"]),
    sent: () => ["issuer/lies", { lies: ["white"] }],
    said: '"white" is no entry of lies. Possible: wrong-nonce',
  },
  {
    of: "a capability",
    here: ({ mock }) => mock.registration("PROVIDER_A").setScopes("DANCE", []),
    sent: () => ["registrations/PROVIDER_A/scopes/DANCE", { scopes: [] }],
    said: "Possible: PROFILE",
  },
  {
    of: "no capability at all",
    here: ({ mock }) => mock.registration("PROVIDER_A").setCapabilities([]),
    sent: () => ["registrations/PROVIDER_A/capabilities", {}],
    said: "A registration serves at least one capability.",
  },
  {
    of: "a resultCode",
    here: ({ mock, attemptId }) => mock.connect(attemptId).fail("toString"),
    sent: ({ attemptId }) => [`connect/${attemptId}/fail`, { code: "toString" }],
    said: "Possible: PROVIDER_ERROR, NOT_A_TESTER",
  },
  {
    of: "an errorCode",
    here: ({ mock, scanId }) => mock.job(scanId).fail("REVOKE_REJECTED"),
    sent: ({ scanId }) => [`jobs/${scanId}/fail`, { code: "REVOKE_REJECTED" }],
    said: "is no errorCode of a SCAN job. Possible: UPSTREAM_UNAVAILABLE",
  },
  {
    of: "an incompleteReason",
    here: ({ mock, scanId }) => mock.job(scanId).succeed({ incompleteReason: "BORED" }),
    sent: ({ scanId }) => [`jobs/${scanId}/succeed`, { incompleteReason: "BORED" }],
    said: "Possible: MAX_ITEMS_REACHED",
  },
  {
    of: "a visibility",
    here: ({ mock }) => mock.account("PROVIDER_A", "a").change("x", { visibility: "odd" }),
    sent: () => ["accounts/PROVIDER_A/a/posts/x", { visibility: "odd" }],
    said: "Possible: public, unlisted, private, deleted.",
  },
  {
    of: "a form of a post",
    here: ({ mock, connectionId }) => mock.connection(connectionId).publish({ form: "reel" }),
    sent: ({ connectionId }) => [`connections/${connectionId}/posts`, { form: "reel" }],
    said: "is no form of a post at PROVIDER_B. Possible: video.",
  },
  {
    of: "a scope of a key",
    here: ({ mock }) => mock.admin.mintKey({ scope: "ALL" }),
    sent: () => ["admin/keys", { scope: "ALL" }],
    said: "Possible: READ, WRITE.",
  },
  { of: "a person", here: ({ mock }) => mock.identity("x").signIn("a b"), said: 'There is no identity session "x"' },
  // Moves that are not possible.
  {
    of: "an attempt that has ended",
    here: ({ mock, completedId }) => mock.connect(completedId).deny(),
    sent: ({ completedId }) => [`connect/${completedId}/deny`],
    said: "is COMPLETED and cannot be denied. Nothing can happen to it any more.",
  },
  {
    of: "a mismatch without a reconnect",
    here: ({ mock, attemptId }) => mock.connect(attemptId).fail("ACCOUNT_MISMATCH"),
    sent: ({ attemptId }) => [`connect/${attemptId}/fail`, { code: "ACCOUNT_MISMATCH" }],
    said: "create the session with reconnectConnectionId",
  },
  {
    of: "a connection that goes on",
    here: ({ mock, connectionId }) => mock.connection(connectionId).resume(),
    sent: ({ connectionId }) => [`connections/${connectionId}/resume`],
    said: "is CONNECTED and cannot be resumed. Possible now: loseGrant, endGrant",
  },
  {
    of: "a connection that is left",
    here: ({ mock, goneId }) => mock.connection(goneId).suspend(),
    sent: ({ goneId }) => [`connections/${goneId}/suspend`],
    said: "is DISCONNECTED and cannot be suspended. Nothing can happen to it any more.",
  },
  {
    of: "a job that cannot fail",
    here: ({ mock, eraseId }) => mock.job(eraseId).fail(),
    sent: ({ eraseId }) => [`jobs/${eraseId}/fail`],
    said: "No ERASE job fails at PROVIDER_A. Possible now: start, run, succeed, retryLater.",
  },
  {
    of: "a registration that is open",
    here: ({ mock }) => mock.registration("PROVIDER_A").publish(),
    sent: () => ["registrations/PROVIDER_A/publish"],
    said: "is PUBLISHED and cannot be moved by publish. Possible now: pause, disable.",
  },
  {
    of: "the last admin",
    here: ({ mock }) => mock.admin.removeMember("admin@example.test"),
    sent: () => ["DELETE", "admin/members/admin@example.test"],
    said: "The last admin cannot be removed",
  },
  {
    of: "a third key",
    here: ({ mock }) => [mock.application.issueKey(), mock.application.issueKey()],
    said: "has 2 active keys already. Revoke one first",
  },
  {
    of: "a capability that nobody asked for",
    here: ({ mock, attemptId }) => mock.connect(attemptId).complete({ capabilities: ["DANCE"] }),
    sent: ({ attemptId }) => [`connect/${attemptId}/complete`, { capabilities: ["DANCE"] }],
    said: '"DANCE" is no entry of capabilities. Possible: PROFILE',
  },
  // Times and numbers that are none.
  {
    of: "time that is to go back",
    here: ({ mock }) => mock.clock.advance(-1),
    sent: () => ["clock/advance", { by: -1 }],
    said: "-1 is no duration. Pass milliseconds, 0 or more",
  },
  {
    of: "a duration without a unit",
    here: ({ mock }) => mock.clock.advance("10"),
    sent: () => ["clock/advance", { by: "10" }],
    said: '"10" is no duration.',
  },
  {
    of: "a duration of no end",
    here: ({ mock }) => mock.clock.advance("9999999999d"),
    sent: () => ["clock/advance", { by: "9999999999d" }],
    said: "a hundred years at the most",
  },
  {
    of: "a duration that is none",
    here: ({ mock }) => mock.clock.advance(Number.NaN),
    sent: () => ["clock/advance", { by: null }],
    said: "duration|milliseconds",
  },
  {
    of: "a moment that has passed",
    here: ({ mock }) => mock.clock.set("2020-01-01"),
    sent: () => ["clock/set", { to: "2020-01-01" }],
    said: "the clock goes forward only. Take a snapshot",
  },
  {
    of: "a day that there is not",
    here: ({ mock }) => mock.clock.set("2027-02-30"),
    sent: () => ["clock/set", { to: "2027-02-30" }],
    said: '"2027-02-30" is no moment. Pass a Date, or text such as',
  },
  {
    of: "a moment that each machine reads in its own way",
    here: ({ mock }) => mock.clock.set("2027-01-31T08:00"),
    sent: () => ["clock/set", { to: "2027-01-31T08:00" }],
    said: "is no moment.",
  },
  {
    of: "a delay",
    here: ({ mock }) => mock.faults.always("*", { delay: "soon" }),
    sent: () => ["faults", { operation: "*", fault: { delay: "soon" } }],
    said: '"soon" is no duration.',
  },
  {
    of: "seconds",
    here: ({ mock }) => mock.faults.always("*", { code: "RATE_LIMITED", retryAfterSeconds: -1 }),
    sent: () => ["faults", { operation: "*", fault: { code: "RATE_LIMITED", retryAfterSeconds: -1 } }],
    said: "retryAfterSeconds is a whole number, 0 or more",
  },
  {
    of: "seconds beside no code",
    here: ({ mock }) => mock.faults.always("*", { drop: "after", retryAfterSeconds: 1 }),
    sent: () => ["faults", { operation: "*", fault: { drop: "after", retryAfterSeconds: 1 } }],
    said: "retryAfterSeconds stands beside a code.",
  },
  {
    of: "no times at all",
    here: ({ mock }) => mock.faults.times(0, "*", { drop: "after" }),
    sent: () => ["faults", { operation: "*", times: 0, fault: { drop: "after" } }],
    said: "A fault is played 1 time or more.",
  },
  {
    of: "a chance",
    here: ({ mock }) => mock.faults.chance(1.5, "*", { drop: "after" }),
    sent: () => ["faults", { operation: "*", probability: 1.5, fault: { drop: "after" } }],
    said: "A probability lies from 0 to 1.",
  },
  {
    of: "an HTTP status",
    here: ({ mock }) => mock.faults.next("*", { status: 42 }),
    sent: () => ["faults", { operation: "*", times: 1, fault: { status: 42 } }],
    said: "An HTTP status is a whole number from 200 to 599.",
  },
  {
    of: "a status that is no failure",
    here: ({ mock }) => mock.providerFaults.add("PROVIDER_A", "any", { status: 200 }),
    sent: () => ["provider-faults", { provider: "PROVIDER_A", call: "any", status: 200 }],
    said: "a whole number from 400 to 599",
  },
  {
    of: "a lifetime",
    here: ({ mock }) => mock.admin.mintKey({ scope: "READ", lifetimeDays: 0 }),
    sent: () => ["admin/keys", { scope: "READ", lifetimeDays: 0 }],
    said: "`lifetimeDays` must be between 1 and 90",
  },
  {
    of: "a number of calls",
    here: ({ mock }) => mock.calls.assertCalled("status", -1),
    sent: () => ["calls/assert", { operation: "status", times: -1 }],
    said: "times is a whole number, 0 or more",
  },
  {
    of: "a number of a post",
    here: ({ mock, connectionId }) => mock.connection(connectionId).publish({ metrics: { VIEWS: "-1" } }),
    sent: ({ connectionId }) => [`connections/${connectionId}/posts`, { metrics: { VIEWS: "-1" } }],
    said: "VIEWS is a whole number as text",
  },
  {
    of: "a name of a number",
    here: ({ mock, connectionId }) => mock.connection(connectionId).publish({ metrics: { CLAPS: "1" } }),
    sent: ({ connectionId }) => [`connections/${connectionId}/posts`, { metrics: { CLAPS: "1" } }],
    said: "Possible: VIEWS, LIKES, COMMENTS, SHARES.",
  },
  // Shapes that are none.
  {
    of: "a fault of two kinds",
    here: ({ mock }) => mock.faults.next("*", { status: 500, drop: "after" }),
    sent: () => ["faults", { operation: "*", times: 1, fault: { status: 500, drop: "after" } }],
    said: "one of code, status, drop and malformed, not several",
  },
  {
    of: "a fault of no kind",
    here: ({ mock }) => mock.faults.next("*", {}),
    sent: () => ["faults", { operation: "*", times: 1, fault: {} }],
    said: "needs one of code, status, delay, drop and malformed",
  },
  {
    of: "a fault that is none",
    here: ({ mock }) => mock.faults.next("*"),
    sent: () => ["faults", { operation: "*", times: 1 }],
    said: "is an object of fields. Possible: code, retryAfterSeconds, status",
  },
  {
    of: "a field with a typing error",
    here: ({ mock }) => mock.faults.next("*", { drop: "after", seconds: 5 }),
    sent: () => ["faults", { operation: "*", times: 1, fault: { drop: "after", seconds: 5 } }],
    said: "There is no field seconds. Possible: code, retryAfterSeconds",
  },
  {
    of: "a field of an account",
    here: ({ mock, attemptId }) => mock.connect(attemptId).complete({ acount: "a" }),
    sent: ({ attemptId }) => [`connect/${attemptId}/complete`, { acount: "a" }],
    said: "There is no field acount. Possible: account, capabilities.",
  },
  {
    of: "a policy",
    here: ({ mock }) => mock.application.setPolicy({ tenantKeys: "acme" }),
    sent: ({ mock }) => [`applications/${mock.application.id}/policy`, { tenantKeys: "acme" }],
    said: "tenantKeys is a list of texts",
  },
  {
    of: "a policy that says something twice",
    here: ({ mock }) => mock.application.setPolicy({ tenantKeys: ["a", "a"] }),
    sent: ({ mock }) => [`applications/${mock.application.id}/policy`, { tenantKeys: ["a", "a"] }],
    said: "`tenantKeys` has a duplicate value",
  },
  {
    of: "an origin",
    here: ({ mock }) => mock.createApplication({ webOrigins: ["https://a.test/x"] }),
    sent: () => ["applications", { webOrigins: ["https://a.test/x"] }],
    said: "an origin must be exactly scheme, host and port",
  },
  {
    of: "a slug that is taken",
    here: ({ mock }) => mock.createApplication({ slug: "app" }),
    sent: () => ["applications", { slug: "app" }],
    said: 'There is an application "app" already.',
  },
  {
    of: "a return URL",
    here: ({ mock }) => mock.application.addReturnUrl("https://elsewhere.test/"),
    sent: ({ mock }) => [`applications/${mock.application.id}/return-urls`, { url: "https://elsewhere.test/" }],
    said: "Origins: https://app.example.test.",
  },
  {
    of: "a path of previews",
    here: ({ mock }) => mock.application.setPreviews({ enabled: true, paths: ["x"] }),
    sent: ({ mock }) => [`applications/${mock.application.id}/previews`, { enabled: true, paths: ["x"] }],
    said: 'The path "x"',
  },
  {
    of: "an e-mail address",
    here: ({ mock }) => mock.admin.addMember("nobody"),
    sent: () => ["admin/members", { email: "nobody" }],
    said: "`email` must be an email address.",
  },
  {
    of: "a snapshot",
    here: ({ mock }) => mock.restore("{}"),
    sent: () => ["restore", { snapshot: "{}" }],
    said: "take one with snapshot()",
  },
  {
    of: "a part of a snapshot",
    here: ({ mock }) => mock.restore('{"format":"social-connect-mocks/1","state":{}}'),
    sent: () => ["restore", { snapshot: '{"format":"social-connect-mocks/1","state":{}}' }],
    said: "take one with snapshot()",
  },
];

describe("is told what was possible, and changes nothing", () => {
  test.each(MISUSES)("$of", async ({ here, sent, said }) => {
    const place = await setUp();
    const before = place.mock.snapshot();
    const error = await Promise.resolve()
      .then(() => here(place))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MockMisuseError);
    const { message } = error as MockMisuseError;
    expect(
      said.split("|").some((part) => message.includes(part)),
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
    const told = (await answer.json()) as { readonly error: string };
    expect(answer.status, told.error).toBe(400);
    expect(
      said.split("|").some((part) => told.error.includes(part)),
      told.error,
    ).toBe(true);
    expect(place.mock.snapshot() === before, "nothing has changed").toBe(true);
  });

  test("a job that runs already cannot be started, and goes on all the same", async () => {
    const { mock, scanId } = await setUp();
    expect(() => mock.job(scanId).fail("CONTENT_NOT_FOUND")).toThrow("is no errorCode of a SCAN job");
    mock.job(scanId).start();
    expect(() => mock.job(scanId).start()).toThrow(POSSIBLE_NOW.replace("start, ", ""));
    expect(mock.job(scanId).succeed().status).toBe("SUCCEEDED");
  });

  test("a snapshot of a mock with another clock", () => {
    const [still, moving] = [createConsumerMock(), createConsumerMock({ now: "system" })];
    expect(() => still.restore(moving.snapshot())).toThrow("cannot go on from each other's snapshots");
    expect(() => moving.restore(still.snapshot())).toThrow(MockMisuseError);
    moving.restore(moving.snapshot());
  });

  test("a key that is passed for an id is not told again", async () => {
    const { mock } = await setUp();
    const secret = mock.key.split(".")[1] ?? "";
    expect(() => mock.job(mock.key)).toThrow("[redacted]");
    expect(() => mock.job(mock.key)).not.toThrow(secret);
  });
});

test.each<[object, string]>([
  [{ sede: 1 }, "There is no field sede. Possible: seed, now"],
  [{ seed: {} }, "The seed is a text or a number."],
  [{ now: "yesterday" }, "is no moment."],
  [{ now: "2026-01-31T08:00" }, "is no moment."],
  [{ now: 9e15 }, "is no moment."],
  [{ now: "system", advancePerRequest: "1s" }, "a clock that stands still"],
  [{ advancePerRequest: -1 }, "is no duration."],
  [{ jitter: 1 }, "jitter is a number from 0 to below 1."],
  [{ baseUrl: "nowhere" }, "baseUrl is an absolute http or https address"],
  [{ mode: "production" }, "Possible: sandbox, live."],
  [{ strict: "no" }, "The field strict is true or false."],
  [{ previewOriginTemplate: "https://preview.example.test" }, "{label} as its first DNS label"],
  [{ application: { tenants: ["a"] } }, "There is no field tenants. Possible: tenantKeys"],
  [{ application: { providers: ["PROVIDER_D"] } }, "Possible: PROVIDER_A"],
  [{ application: { slug: "A B" } }, "`slug` must have 1 to 63"],
  [{ application: { returnUrls: ["https://elsewhere.test/"] } }, "must lie on one of the application's web origins"],
  [{ application: { testers: "nobody" } }, "a list of accounts"],
])("no mock is made with %j", (options, said) => {
  expect(() => createConsumerMock(options as never)).toThrow(MockMisuseError);
  expect(() => createConsumerMock(options as never)).toThrow(said);
});

test.each([
  ["POST", "connect", "POST /__mock/connect/:id/complete"],
  ["PUT", "reset", "POST /__mock/reset"],
  ["POST", "%ff", "GET /__mock/scenarios"],
])("%s /__mock/%s is answered with the commands that there are", async (method, path, command) => {
  const mock = createConsumerMock();
  const answer = await mock.fetch(`${mock.baseUrl}/__mock/${path}`, { method });
  expect(answer.status).toBe(404);
  expect(((await answer.json()) as { error: string }).error).toContain(command);
});

test.each(["{", "[]", "5", "null", '"text"'])("a body that is no object of fields (%s) is refused", async (body) => {
  const mock = createConsumerMock();
  const answer = await mock.fetch(`${mock.baseUrl}/__mock/reset`, { method: "POST", body });
  expect(answer.status).toBe(400);
});

test("a field that a command does not have, and a query that it does not know, are refused", async () => {
  const mock = createConsumerMock();
  const told = async (path: string) => (await mock.fetch(`${mock.baseUrl}/__mock/${path}`)).json();
  expect(await told("calls?operaton=status")).toEqual({ error: "There is no field operaton. Possible: operation." });
  expect(await told("clock?to=2027")).toEqual({ error: "There is no field to. Possible: none." });
});
