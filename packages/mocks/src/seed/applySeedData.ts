import { CAPABILITIES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { isInFlight } from "@social-connect/domain";
import { AccountControl } from "../control/accountControl.ts";
import { ConnectControl, DEFAULT_ACCOUNT } from "../control/connectControl.ts";
import { ConnectionControl } from "../control/connectionControl.ts";
import { addEventEndpoint, EventsControl } from "../control/eventsControl.ts";
import { addFault, FaultsControl } from "../control/faultsControl.ts";
import { fieldsOf } from "../control/fields.ts";
import { addProviderFault, ProviderFaultsControl } from "../control/providerFaultsControl.ts";
import { RegistrationControl } from "../control/registrationControl.ts";
import { createConnectSession } from "../modules/connect/connectSessions.ts";
import { accountKey } from "../providers/accounts.ts";
import { MockMisuseError, oneOf, pathText, within } from "../util/misuse.ts";
import { defaultApplicationId, defaultKey } from "../world/initialState.ts";
import type { World } from "../world/world.ts";
import {
  SEED_STATUSES,
  type SeedAccount,
  type SeedConnection,
  type SeedData,
  type SeedPost,
  type SeedRegistration,
} from "./seedData.ts";

/** Accounts of the data are linked so long before the clock starts, which is enough for the usual first reads. */
export const LINKED_BEFORE_MS = 60_000;
/** Longer than the retries of every job. */
const MAX_WORK_MS = 72 * 3_600_000;

const ACCOUNT = { provider: "string!", name: "string!", posts: "any" } as const satisfies Record<
  keyof SeedAccount,
  unknown
>;
const CONNECTION = {
  provider: "string!",
  account: "string",
  tenantKey: "string",
  externalSubjectId: "string",
  capabilities: { each: CAPABILITIES },
  status: SEED_STATUSES,
  read: "boolean",
} as const satisfies Record<keyof SeedConnection, unknown>;
const REGISTRATION = {
  provider: "string!",
  status: ["PUBLISHED", "PAUSED", "DISABLED"],
  capabilities: { each: CAPABILITIES },
} as const satisfies Record<keyof SeedRegistration, unknown>;

/** Applies the data to a new world, whose clock is then at `nowMs`, or later when the first reads take longer. */
export function applySeedData(world: World, data: SeedData, nowMs: number): void {
  try {
    const known = new Set<string>();
    eachOf("accounts", data.accounts, (account) => {
      addPosts(world, account);
      checkFirst(known, `account ${accountKey(account.provider, account.name)}`, "This account");
    });
    const linked = new Map<string, { readonly index: number; readonly status: SeedConnection["status"] }>();
    eachOf("connections", data.connections, (connection, index) => {
      const id = link(world, connection);
      checkFirst(known, `connection ${id}`, "This account of this user");
      if (connection.read !== false) settle(world);
      linked.set(id, { index, status: connection.status });
    });
    world.skipTo(nowMs);
    for (const [id, { index, status }] of linked)
      within("connections", () => within(index, () => changeStatus(world, id, status)));
    eachOf("registrations", data.registrations, (registration) => changeRegistration(world, registration, known));
    eachOf("faults", data.faults, (fault) => addFault(new FaultsControl(world), fault));
    const events = new EventsControl(world, defaultApplicationId(world.state.seed));
    eachOf("eventEndpoints", data.eventEndpoints, (endpoint) => addEventEndpoint(events, endpoint));
    eachOf("providerFaults", data.providerFaults, (fault) => addProviderFault(new ProviderFaultsControl(world), fault));
  } catch (error) {
    if (!(error instanceof MockMisuseError)) throw error;
    throw new MockMisuseError(`${pathText(error.path)}: ${error.message}`, error.path);
  }
}

function eachOf<Item>(
  name: string,
  list: readonly Item[] | undefined,
  apply: (item: Item, index: number) => unknown,
): void {
  if (list === undefined) return;
  within(name, () => {
    if (!Array.isArray(list)) throw new MockMisuseError("Pass a list.");
    for (const [index, item] of list.entries()) within(index, () => apply(item as Item, index));
  });
}

function checkFirst(known: Set<string>, key: string, what: string): void {
  if (known.has(key)) throw new MockMisuseError(`${what} is listed twice. Combine the two entries.`);
  known.add(key);
}

function addPosts(world: World, data: SeedAccount): void {
  fieldsOf(data, ACCOUNT);
  const { provider, name, posts } = data;
  within("provider", () => oneOf(provider, SOCIAL_PROVIDERS, "provider"));
  const account = within("name", () => new AccountControl(world, provider, name));
  world.state.providers.named.set(accountKey(provider, name), { provider, account: name });
  eachOf("posts", posts, (post: SeedPost) => {
    fieldsOf({ post }, { post: "object" });
    const { visibility, ...rest } = post;
    const { id } = account.publish(rest);
    if (visibility !== undefined) account.change(id, { visibility });
  });
}

function link(world: World, data: SeedConnection): string {
  fieldsOf(data, CONNECTION);
  const { provider, account = DEFAULT_ACCOUNT, externalSubjectId = "user-1" } = data;
  within("provider", () => oneOf(provider, SOCIAL_PROVIDERS, "provider"));
  const { state } = world;
  const application = state.applications.get(defaultApplicationId(state.seed));
  if (application === undefined) throw new Error("the application does not exist");
  const { tenantKey = application.tenantKeys[0] ?? "", capabilities = application.capabilities } = data;
  const { keyId } = defaultKey(state.seed);
  const { id } = createConnectSession(
    world,
    { keyId, application },
    {
      scope: { tenantKey, externalSubjectId },
      provider,
      capabilities,
      returnUrl: application.returnUrls[0] ?? "",
      reconnectConnectionId: null,
    },
  );
  const attempt = within("account", () => new ConnectControl(world, id).complete({ account }));
  const { connectionId } = attempt;
  if (connectionId === null)
    throw new MockMisuseError(
      `The account ${account} is not linked: the attempt is ${attempt.status} (${attempt.resultCode}). Use another account.`,
      ["account"],
    );
  return connectionId;
}

function changeStatus(world: World, connectionId: string, status: SeedConnection["status"]): void {
  const connection = new ConnectionControl(world, connectionId);
  if (status === "SUSPENDED") connection.suspend();
  else if (status === "RECONNECT_REQUIRED") connection.loseGrant();
  else if (status === "DISCONNECTED") connection.disconnect();
}

function settle(world: World): void {
  const endMs = world.nowMs() + MAX_WORK_MS;
  const isWorking = () =>
    [...world.state.jobs.values()].some(({ status, dueAtMs }) => isInFlight(status) && dueAtMs !== null);
  while (isWorking() && world.runNext(endMs));
}

function changeRegistration(world: World, data: SeedRegistration, known: Set<string>): void {
  fieldsOf(data, REGISTRATION);
  checkFirst(known, `registration ${data.provider}`, "This provider");
  const { provider, status = "PUBLISHED", capabilities } = data;
  const registration = within("provider", () => new RegistrationControl(world, provider));
  if (capabilities !== undefined) within("capabilities", () => registration.setCapabilities(capabilities));
  if (status === "PAUSED") registration.pause();
  if (status === "DISABLED") registration.disable();
}
