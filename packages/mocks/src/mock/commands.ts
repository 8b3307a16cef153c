import type { Capability } from "@social-connect/contract";
import type { ApplicationControl } from "../control/applicationControl.ts";
import type { CallsControl } from "../control/callsControl.ts";
import { addEventEndpoint, type EventsControl } from "../control/eventsControl.ts";
import { addFault } from "../control/faultsControl.ts";
import { fieldsOf } from "../control/fields.ts";
import { addProviderFault } from "../control/providerFaultsControl.ts";
import type { MockOperation } from "../graphql/documents.ts";
import { offeredAccounts } from "../providers/scripts.ts";
import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from "../scenarios/scenarios.ts";
import { runInPanel } from "./adminMock.ts";
import { type Command, type CommandInput, field, first, get, post, provider, remove, second } from "./command.ts";
import type { ConsumerMock } from "./consumerMock.ts";

const SESSIONS: readonly Command[] = [
  get("connect", (mock) => mock.connectAttempts()),
  get("connect/:id", (mock, input) => mock.connect(first(input)).state),
  post("connect/:id/launch", (mock, input) => mock.connect(first(input)).launch()),
  post("connect/:id/exchanging", (mock, input) => mock.connect(first(input)).exchanging()),
  post("connect/:id/complete", (mock, input) => mock.connect(first(input)).complete(input.body)),
  post("connect/:id/deny", (mock, input) => mock.connect(first(input)).deny(field(input, "code", "string"))),
  post("connect/:id/fail", (mock, input) => mock.connect(first(input)).fail(field(input, "code", "string"))),
  post("connect/:id/cancel", (mock, input) => mock.connect(first(input)).cancel(field(input, "code", "string!"))),
  post("connect/:id/expire", (mock, input) => mock.connect(first(input)).expire()),
  get("identity/:id", (mock, input) => mock.identity(first(input)).state),
  post("identity/:id/sign-in", (mock, input) => mock.identity(first(input)).signIn(field(input, "person", "string"))),
  post("identity/:id/deny", (mock, input) => mock.identity(first(input)).deny()),
  post("identity/:id/fail", (mock, input) => mock.identity(first(input)).fail()),
  post("identity/:id/expire", (mock, input) => mock.identity(first(input)).expire()),
  post("issuer/lies", (mock, input) => mock.lieAboutIdentity(field(input, "lies", "strings!"))),
];

const JOBS: readonly Command[] = [
  get("jobs", (mock, { query }) => mock.jobs(query.get("connectionId") ?? undefined), ["connectionId"]),
  get("jobs/:id", (mock, input) => mock.job(first(input)).state),
  post("jobs/:id/start", (mock, input) => mock.job(first(input)).start()),
  post("jobs/:id/run", (mock, input) => mock.job(first(input)).run()),
  post("jobs/:id/succeed", (mock, input) => mock.job(first(input)).succeed(input.body)),
  post("jobs/:id/fail", (mock, input) => mock.job(first(input)).fail(field(input, "code", "string"))),
  post("jobs/:id/retry-later", (mock, input) => mock.job(first(input)).retryLater(field(input, "after", "duration"))),
  post("settle", async (mock, input) => ({ passedMs: await mock.settle(input.body) })),
  post("step", async (mock) => {
    await mock.step();
    return { now: mock.clock.date().toISOString() };
  }),
];

const CONNECTIONS: readonly Command[] = [
  get("connections", (mock) => mock.connections().map((connection) => connection.state)),
  get("connections/:id", (mock, input) => mock.connection(first(input)).state),
  post("connections/:id/lose-grant", (mock, input) => mock.connection(first(input)).loseGrant(input.body)),
  post("connections/:id/end-grant", (mock, input) =>
    mock.connection(first(input)).endGrant(field(input, "cause", "string")),
  ),
  post("connections/:id/expire-credential", (mock, input) => mock.connection(first(input)).expireCredential()),
  post("connections/:id/suspend", (mock, input) => mock.connection(first(input)).suspend()),
  post("connections/:id/resume", (mock, input) => mock.connection(first(input)).resume()),
  post("connections/:id/disconnect", (mock, input) => mock.connection(first(input)).disconnect()),
  post("connections/:id/posts", (mock, input) => mock.connection(first(input)).publish(input.body)),
  post("connections/:id/posts/:post/observe", (mock, input) => mock.connection(first(input)).observe(second(input))),
];

const ACCOUNTS: readonly Command[] = [
  get("accounts/:provider", (_mock, input) => offeredAccounts(provider(input))),
  get("accounts/:provider/:name", (mock, input) => {
    const { id, name } = account(mock, input);
    return { id, name };
  }),
  get("accounts/:provider/:name/posts", (mock, input) => account(mock, input).posts()),
  post("accounts/:provider/:name/posts", (mock, input) => account(mock, input).publish(input.body)),
  post("accounts/:provider/:name/posts/:post", (mock, input) =>
    account(mock, input).change(input.path[2] ?? "", input.body),
  ),
  post("accounts/:provider/:name/end-grants", (mock, input) =>
    account(mock, input).endGrants(field(input, "cause", "string")),
  ),
  post("accounts/:provider/:name/remove-app", (mock, input) => account(mock, input).removeApp(input.body)),
  post("accounts/:provider/:name/request-deletion", (mock, input) => account(mock, input).requestDeletion(input.body)),
];

function account(mock: ConsumerMock, input: CommandInput) {
  return mock.account(provider(input), second(input));
}

const OPERATORS: readonly Command[] = [
  get("application", (mock) => ({ ...viewOf(mock.application), key: mock.key })),
  post("applications", (mock, input) => {
    const application = mock.createApplication(input.body);
    return { ...viewOf(application), key: application.issueKey() };
  }),
  get("applications/:id", (mock, input) => viewOf(mock.applicationById(first(input)))),
  remove("applications/:id", (mock, input) => mock.applicationById(first(input)).remove()),
  post("applications/:id/enable", (mock, input) => mock.applicationById(first(input)).enable()),
  post("applications/:id/disable", (mock, input) => mock.applicationById(first(input)).disable()),
  post("applications/:id/hold", (mock, input) => mock.applicationById(first(input)).hold()),
  post("applications/:id/release", (mock, input) => mock.applicationById(first(input)).release()),
  post("applications/:id/policy", (mock, input) => mock.applicationById(first(input)).setPolicy(input.body)),
  post("applications/:id/previews", (mock, input) => mock.applicationById(first(input)).setPreviews(input.body)),
  post("applications/:id/return-urls", (mock, input) =>
    mock.applicationById(first(input)).addReturnUrl(field(input, "url", "string!")),
  ),
  post("applications/:id/keys", (mock, input) => ({ key: mock.applicationById(first(input)).issueKey(input.body) })),
  post("applications/:id/keys/:key/revoke", (mock, input) =>
    mock.applicationById(first(input)).revokeKey(second(input)),
  ),
  get("registrations/:provider", (mock, input) => {
    const { status, capabilities } = mock.registration(provider(input));
    return { status, capabilities };
  }),
  post("registrations/:provider/publish", (mock, input) => mock.registration(provider(input)).publish()),
  post("registrations/:provider/pause", (mock, input) => mock.registration(provider(input)).pause()),
  post("registrations/:provider/disable", (mock, input) => mock.registration(provider(input)).disable()),
  post("registrations/:provider/serve", (mock, input) =>
    mock.registration(provider(input)).serve(field(input, "served", "boolean!")),
  ),
  post("registrations/:provider/capabilities", (mock, input) =>
    mock.registration(provider(input)).setCapabilities(field(input, "capabilities", "strings")),
  ),
  get("registrations/:provider/scopes/:capability", (mock, input) => ({
    scopes: mock.registration(provider(input)).scopesOf(second(input) as Capability),
  })),
  post("registrations/:provider/scopes/:capability", (mock, input) =>
    mock.registration(provider(input)).setScopes(second(input) as Capability, field(input, "scopes", "strings!")),
  ),
];

const ADMIN: readonly Command[] = [
  get("admin", ({ admin: { host, readKey, writeKey, members } }) => ({ host, readKey, writeKey, members })),
  get("admin/audit", (mock) => mock.admin.audit()),
  post("admin/keys", (mock, input) => ({ key: mock.admin.mintKey(input.body) })),
  post("admin/keys/:key/revoke", (mock, input) => mock.admin.revokeKey(first(input))),
  post("admin/members", (mock, input) => mock.admin.addMember(field(input, "email", "string!"))),
  remove("admin/members/:email", (mock, input) => mock.admin.removeMember(first(input))),
  post("admin/panel", (_mock, { world, body }) => runInPanel(world, body)),
];

function viewOf(application: ApplicationControl) {
  const { id, slug, tenantKeys, webOrigins, returnUrls, identityReturnUrls, isEnabled } = application;
  return { id, slug, tenantKeys, webOrigins, returnUrls, identityReturnUrls, isEnabled };
}

const FAULTS: readonly Command[] = [
  get("faults", (mock) => mock.faults.list()),
  post("faults", (mock, input) => idOf(addFault(mock.faults, input.body))),
  remove("faults", (mock) => mock.faults.clear()),
  remove("faults/:id", (mock, input) => mock.faults.remove(first(input))),
  get("provider-faults", (mock) => mock.providerFaults.list()),
  post("provider-faults", (mock, input) => idOf(addProviderFault(mock.providerFaults, input.body))),
  remove("provider-faults", (mock) => mock.providerFaults.clear()),
  remove("provider-faults/:id", (mock, input) => mock.providerFaults.remove(first(input))),
];

type EventsRun = (events: EventsControl, input: CommandInput) => unknown;
/** A command for events, of the application of the query parameter; of the default one without. */
const ofEvents = (make: typeof get, path: string, run: EventsRun): Command =>
  make(
    `events${path}`,
    (mock, input) => run(mock.applicationById(input.query.get("application") ?? mock.application.id).events, input),
    ["application"],
  );
const EVENTS: readonly Command[] = [
  ofEvents(get, "", (events) => events.list()),
  ofEvents(get, "/sent", (events) => events.sent()),
  ofEvents(remove, "/sent", (events) => events.clear()),
  ofEvents(get, "/endpoints", (events) => events.endpoints()),
  ofEvents(post, "/endpoints", (events, { body }) => addEventEndpoint(events, body).state),
  ofEvents(get, "/endpoints/:id", (events, input) => events.endpoint(first(input)).state),
  ofEvents(remove, "/endpoints/:id", (events, input) => events.endpoint(first(input)).remove()),
  ofEvents(post, "/endpoints/:id/rotate", (events, input) => ({ secret: events.endpoint(first(input)).rotate() })),
  ofEvents(post, "/endpoints/:id/turn-on", (events, input) => events.endpoint(first(input)).turnOn()),
  ofEvents(post, "/endpoints/:id/turn-off", (events, input) => events.endpoint(first(input)).turnOff()),
  ofEvents(post, "/endpoints/:id/send-test", (events, input) => ({ id: events.endpoint(first(input)).sendTest() })),
  ofEvents(post, "/fail", (events, { body }) => {
    const { failure, times } = fieldsOf(body, { failure: "any", times: "number" });
    events.fail(failure as number | undefined, times);
  }),
  ofEvents(post, "/duplicate", (events, input) => events.duplicate(field(input, "times", "number"))),
  ofEvents(post, "/delay", (events, { body }) => {
    const { by, times } = fieldsOf(body, { by: "duration!", times: "number" });
    events.delay(by, times);
  }),
  ofEvents(post, "/reorder", (events) => events.reorder()),
  ofEvents(post, "/resend", (events, { body }) => ({ deliveries: events.resend(body) })),
];

function idOf({ id }: { readonly id: string }) {
  return { id };
}

const WHOLE: readonly Command[] = [
  get("scenarios", () =>
    SCENARIO_NAMES.map((name) => {
      const { summary, reaches, seenBy } = SCENARIOS[name];
      return { name, summary, reaches, seenBy };
    }),
  ),
  post("scenarios/:name", (mock, input) => mock.load(first(input) as ScenarioName)),
  get("clock", (mock) => ({ now: mock.clock.date().toISOString(), isWaitedFor: mock.clock.isWaitedFor })),
  post("clock/advance", async (mock, input) => ({ now: await mock.clock.advance(field(input, "by", "duration!")) })),
  post("clock/set", async (mock, input) => ({ now: await mock.clock.set(field(input, "to", "string!")) })),
  get(
    "calls",
    (mock, { query }) => {
      const operation = query.get("operation");
      return operation === null ? mock.calls.all() : mock.calls.of(operation as MockOperation);
    },
    ["operation"],
  ),
  remove("calls", (mock) => mock.calls.clear()),
  post("calls/assert", (mock, input) => {
    const shape = {
      operation: "string",
      times: "number",
      arguments: "any",
      sequence: "strings",
      allOk: "boolean",
    } as const;
    assertCalls(mock, fieldsOf(input.body, shape) as CallStatement);
  }),
  post("reset", (mock) => mock.reset()),
  get("snapshot", (mock) => ({ snapshot: mock.snapshot() })),
  post("restore", (mock, input) => mock.restore(field(input, "snapshot", "string!"))),
];

/** Assertions about calls. The controls validate the operations. */
interface CallStatement {
  readonly operation?: MockOperation;
  readonly times?: number;
  readonly arguments?: unknown;
  readonly sequence?: Parameters<CallsControl["assertSequence"]>[0];
  readonly allOk?: boolean;
}

function assertCalls({ calls }: ConsumerMock, statement: CallStatement): void {
  const { operation, times, sequence, allOk } = statement;
  if (operation !== undefined) calls.assertCalled(operation, times);
  if (operation !== undefined && statement.arguments !== undefined) {
    calls.assertCalledWith(operation, statement.arguments as Readonly<Record<string, unknown>>);
  }
  if (sequence !== undefined) calls.assertSequence(sequence);
  if (allOk) calls.assertAllOk();
}

/** The control API over HTTP, by method and path below `/__mock/`. */
export const COMMANDS: readonly Command[] = [
  ...SESSIONS,
  ...JOBS,
  ...CONNECTIONS,
  ...ACCOUNTS,
  ...FAULTS,
  ...EVENTS,
  ...OPERATORS,
  ...ADMIN,
  ...WHOLE,
];
