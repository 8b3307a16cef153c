import fc from "fast-check";
import type { AdminClient } from "../../../packages/conformance/src/_generated/adminWire.ts";
import type { Capability, Provider } from "../../../packages/conformance/src/index.ts";
import { runInPanel } from "../../../packages/conformance/src/target/adminScript.ts";
import { type AdminOperationName, adminDocumentOf } from "../../../packages/conformance/src/wire/documents.ts";
import { CAPABILITIES, SOCIAL_PROVIDERS } from "../../../packages/contract/src/index.ts";
import { rarely, times, weighted } from "../../times.ts";
import { type Actor, newest, type Ref, shown, type Target, UNKNOWN_ID } from "./actor.ts";
import { appOf, type Plan, pick, planned, someOf, step } from "./step.ts";

type Numbered = "adminKey" | "member" | "applicationKey" | "keyApplication";
/** The id or string of a record that a step created on each side, as an argument; `newest`: counted from the newest. */
type Reference =
  | { readonly is: "application"; readonly of: Target }
  | { [Is in Numbered]: { readonly is: Is; readonly newest: number } }[Numbered]
  | { readonly is: "newestAdminKeyId" }
  | { readonly is: "registration"; readonly provider: Provider }
  | { readonly is: "accountId"; readonly provider: Provider; readonly account: string }
  | { readonly is: "registrationInput"; readonly provider: Provider; readonly capabilities: readonly Capability[] };

/** An operation with its arguments: literal values, and references. */
interface Call {
  readonly operation: AdminOperationName;
  readonly args: Readonly<Record<string, unknown>>;
}

interface Made {
  readonly id?: string;
  readonly key?: string;
  readonly apiKey?: { readonly id: string };
  readonly credential?: { readonly keyId: string };
}

/** A client with everything switched on, and the key that its backend calls with. */
export const createApplication = step("createApplication", {}, async (actor, { n }) => {
  const slug = `differential-${n}`;
  const origin = `https://${slug}.example.test`;
  const input = {
    slug,
    displayName: `Application ${n}`,
    webOrigins: [origin],
    returnUrls: [`${origin}/return`, `${origin}/other-return?kept=1`],
    tenantKeys: ["tenant-one", "tenant-two"],
    providers: SOCIAL_PROVIDERS,
    capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"],
    confirmedNoOnwardRedirect: true,
  };
  const created = await actor.callAdmin(actor.admin.writeKey, "createClient", { input });
  const client = created.body?.data?.["createClient"] as AdminClient | undefined;
  if (!client) return shown(created);
  const panel = await actor.firstAdmin();
  const identity = await panel.run(adminDocumentOf("setClientIdpIdentity"), {
    id: client.id,
    enabled: true,
    returnUrls: [`${origin}/identity-return`],
  });
  const issued = await panel.run(adminDocumentOf("issueClientCredential"), { id: client.id });
  const { key = "" } = (issued.data?.["issueClientCredential"] ?? {}) as Made;
  keepApplication(actor, n, client, key);
  await actor.side.events.addEndpoint(client.id, async () => new Response(null, { status: 204 }));
  return { created: shown(created), identity, issued };
});

function keepApplication(actor: Actor, n: Ref, { id, slug }: AdminClient, key: string): void {
  actor.apps.set(n, { n, id, key, origin: `https://${slug}.example.test` });
}

/** The arguments with each side's own ids in them; null when one refers to what was never made. */
async function variablesOf(actor: Actor, args: Call["args"]): Promise<Record<string, unknown> | null> {
  const variables: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    const isReference = typeof value === "object" && value !== null && "is" in value;
    const read = isReference ? await readerOf(value as Reference)(actor, value) : value;
    if (read === undefined) return null;
    variables[name] = read;
  }
  return variables;
}

const readerOf = ({ is }: Reference) => READ[is] as (actor: Actor, value: unknown) => unknown;

/** The value of a reference on one side; undefined if it was never created. */
const READ: { readonly [Is in Reference["is"]]: (actor: Actor, value: Extract<Reference, { is: Is }>) => unknown } = {
  application: (actor, { of }) => actor.idOf(of, actor.apps) ?? undefined,
  adminKey: ({ adminKeys }, value) => newest(adminKeys.values(), value.newest)?.id,
  newestAdminKeyId: ({ admin, adminKeys }) => newest(adminKeys.values(), 0)?.id ?? /_(.*?)\./.exec(admin.writeKey)?.[1],
  member: ({ members }, value) => newest(members.values(), value.newest),
  applicationKey: ({ applicationKeys }, value) => newest(applicationKeys.values(), value.newest)?.keyId,
  keyApplication: ({ applicationKeys }, value) => newest(applicationKeys.values(), value.newest)?.application,
  registration: (actor, { provider }) => registrationOf(actor, provider),
  accountId: ({ side }, { provider, account }) => side.provider.accountId(provider, account),
  registrationInput: (actor, value) => registrationInput(actor, value),
};

/** The registration of a provider that serves the sequence. */
async function registrationOf(actor: Actor, provider: Provider): Promise<string> {
  const all = await runInPanel(await actor.firstAdmin(), "adminRegistrations", {});
  return all.find((each) => each.provider === provider)?.id ?? UNKNOWN_ID;
}

/** The current registration with other capabilities. */
async function registrationInput(
  actor: Actor,
  { capabilities, provider }: Extract<Reference, { is: "registrationInput" }>,
): Promise<unknown> {
  const id = await registrationOf(actor, provider);
  const answer = await (await actor.firstAdmin()).run(adminDocumentOf("registrationDetail"), { id });
  const detail = answer.data?.["registrationDetail"] as Record<string, unknown> | null | undefined;
  if (!detail) return undefined;
  const { addresses, clientId, clientIds, scopes } = detail;
  return { addresses, clientId, clientIds, scopes, capabilities };
}

type Drawn = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** How often an operation is chosen, and its arguments. `{client}` in them is the reference to an application, and `{slug}` its slug. */
const choice = (weight: number, operation: AdminOperationName, args: Drawn) =>
  called(weight, operation, fc.record(args));
const called = (weight: number, operation: AdminOperationName, args: fc.Arbitrary<Call["args"]>) => ({
  weight,
  arbitrary: args.map((drawn): Call => ({ operation, args: drawn })),
});
const only = (value: unknown) => fc.constant(value);
const among = (...values: readonly unknown[]) => fc.constantFrom(...values);
const mostly = (percent: number) =>
  fc.oneof(times(percent, fc.constant(true)), times(100 - percent, fc.constant(false)));

const id = only("{client}");
const own = "https://{slug}.example.test";
const origin = among(
  ...[own, `${own}:8443`, "https://other.example.test", "http://plain.example.test", "http://localhost:3000"],
  ...[`${own}/path`, "no origin", "https://*.example.test"],
);
const url = among(
  ...[`${own}/return`, `${own}/third`, `${own}:8443/return`, "https://elsewhere.example.test/return"],
  ...[`${own}/return#part`, `${own}/return?ss_x=1`, "not a url", `${own}/other-return?kept=1`],
);
const tenantKey = among("tenant-one", "tenant-two", "tenant-three", "", "x".repeat(128), "x".repeat(129), " spaced ");
const path = among("/preview-return", "/other", "no-slash", "/with?query", "/", "");
/** Some of a list, none, or one twice. */
const selection = (list: readonly string[]) =>
  fc.oneof(times(8, someOf(list)), times(2, fc.constant([])), times(1, fc.constant([list[0], list[0]])));

const newClient = fc
  .constantFrom(...["made-1", "made-2", "made-3", "made-4", "differential-1", "Bad Slug", "x", "-x", "x".repeat(64)])
  .chain((slug) => {
    const made = `https://${/^[a-z0-9-]+$/.test(slug) ? slug : "made"}.example.test`;
    const returnUrl = `${made}/return`;
    return fc.record({
      slug: only(slug),
      displayName: only("Made by a step"),
      webOrigins: fc.oneof(times(9, fc.constant([made])), times(1, fc.constant([]))),
      returnUrls: among([returnUrl], [], ["https://elsewhere.example.test/return"], [returnUrl, returnUrl]),
      tenantKeys: among(["tenant-one"], ["tenant-one"], [], ["a", "a"], [""]),
      providers: among(["PROVIDER_A"], [], ["PROVIDER_A", "PROVIDER_A"]),
      capabilities: among(["PROFILE"], ["PROFILE"], []),
      confirmedNoOnwardRedirect: mostly(90),
    });
  });

const WITH_KEY = fc.oneof(
  choice(2, "previewTemplate", {}),
  choice(4, "adminClient", { id }),
  choice(2, "adminProviderAvailability", {}),
  // Only the service's log has sign-ins, which no key makes.
  choice(4, "adminAuditEntries", {
    first: among(1, 5, 20, 100, 0, 101, null),
    apiKeyId: only({ is: "newestAdminKeyId" }),
  }),
  choice(4, "setClientEnabled", { id, enabled: mostly(70) }),
  choice(4, "setClientDisplayName", {
    id,
    displayName: among("New name", "", "x".repeat(81), "x".repeat(200), "Tab\there", "Ünïcødé 🦜"),
  }),
  choice(2, "setClientBranding", { id, brandColor: among("#0a5c36", "#FFFFFF", "red", null) }),
  choice(6, "setClientPolicy", { id, providers: selection(SOCIAL_PROVIDERS), capabilities: selection(CAPABILITIES) }),
  choice(4, "addClientTenantKey", { id, tenantKey }),
  choice(4, "removeClientTenantKey", { id, tenantKey }),
  choice(6, "addClientOrigin", { id, origin }),
  choice(6, "removeClientOrigin", { id, origin }),
  choice(6, "addClientReturnUrl", { id, url, confirmedNoOnwardRedirect: mostly(85) }),
  choice(6, "removeClientReturnUrl", { id, url }),
  choice(4, "setClientPreviewOrigins", { id, enabled: mostly(60) }),
  choice(4, "addClientPreviewReturnPath", { id, path }),
  choice(2, "removeClientPreviewReturnPath", { id, path }),
  choice(2, "createClient", { input: newClient }),
  // Operations of the panel alone, with arguments of a valid format.
  ...(["apiKeys", "mintApiKey", "issueClientCredential"] as const).map((name) =>
    choice(1, name, { id, label: only("x"), scope: only("READ"), lifetimeDays: only(1) }),
  ),
);

const provider = fc.constantFrom(...SOCIAL_PROVIDERS);
const registration = provider.map((at): Reference => ({ is: "registration", provider: at }));
const updated = fc
  .record({ is: only("registrationInput"), provider, capabilities: someOf(CAPABILITIES) })
  .map((input) => ({ id: { is: "registration", provider: input.provider }, input }));
const recent = (is: "adminKey" | "member") => pick.map((newest): Reference => ({ is, newest }));
const tester = fc.record({ at: provider, account: fc.constantFrom("unicode", "empty") }).map(({ at, account }) => ({
  id: "{client}",
  provider: at,
  providerAccountId: { is: "accountId", provider: at, account },
  note: "Mara from QA",
}));
const applicationKey = pick.map((newest) => ({
  id: { is: "keyApplication", newest },
  keyId: { is: "applicationKey", newest },
}));

const IN_PANEL = fc.oneof(
  choice(30, "mintApiKey", {
    label: among("A key", "", "x".repeat(200)),
    scope: among("READ", "WRITE"),
    lifetimeDays: among(1, 7, 90, 0, 91, -1),
  }),
  choice(18, "revokeApiKey", { id: recent("adminKey") }),
  choice(2, "revokeApiKey", { id: only(UNKNOWN_ID) }),
  choice(30, "issueClientCredential", { id, expiresInDays: among(null, 1, 30, 0, -1, 10_000) }),
  called(20, "revokeClientCredential", applicationKey),
  choice(10, "revokeClientCredential", { id, keyId: only(UNKNOWN_ID) }),
  choice(20, "setClientIdpIdentity", {
    id,
    enabled: mostly(70),
    returnUrls: among(null, [`${own}/identity-return`], [], ["https://elsewhere.example.test/x"]),
  }),
  choice(10, "addAdminMember", {
    email: among("admin-two@example.test", "Admin-Two@Example.test", "not an address", "admin@example.test", ""),
  }),
  choice(10, "removeAdminMember", { id: recent("member") }),
  choice(20, "pauseRegistration", { id: registration }),
  choice(30, "publishRegistration", { id: registration }),
  choice(3, "disableRegistration", { id: registration }),
  called(10, "updateRegistration", updated),
  choice(10, "setRegistrationQuota", { id: registration, quota: among(null, { units: 0 }, { units: 900_000 }) }),
  choice(10, "clientCredentials", { id }),
  choice(10, "searchClients", { text: only("{slug}") }),
  choice(10, "searchAuditEntries", { clientSlug: only("{slug}"), first: among(5, 100) }),
  called(10, "addClientTester", tester),
  called(10, "setClientTesterNote", tester),
  called(10, "removeClientTester", tester),
);

const CLIENT = fc.record({ app: pick, odd: rarely(4, fc.constantFrom<Target>("unknown", "malformed")) });

const CALLED_WITH_KEY = fc.record({
  call: WITH_KEY,
  key: fc.oneof(times(4, weighted({ write: 24, read: 4, wrong: 1 })), times(1, pick)),
});
const CALLED_IN_PANEL = fc.record({ call: IN_PANEL, person: weighted({ admin: 72, "admin-two": 25, ada: 3 }) });

/** The call with an application in its arguments. */
function filled(
  { operation, args }: Call,
  { app, odd }: { app: number; odd: Target | undefined },
  leader: Actor,
): Call {
  const of = odd ?? appOf(leader, app);
  const text = JSON.stringify(args).replaceAll("{slug}", `differential-${of}`);
  return { operation, args: JSON.parse(text.replaceAll('"{client}"', JSON.stringify({ is: "application", of }))) };
}

const withKey = planned(55, fc.tuple(CLIENT, CALLED_WITH_KEY), ([client, { call, key: drawn }], leader) => {
  const key = (typeof drawn === "number" ? newest(leader.adminKeys.keys(), drawn) : drawn) ?? "write";
  const { operation, args } = filled(call, client, leader);
  return step("admin", { operation, args, key }, async (actor, { n }) => {
    const { readKey: read, writeKey: write } = actor.admin;
    const keys = { write, read, wrong: `${write.slice(0, -8)}00000000` };
    const text = typeof key === "number" ? actor.adminKeys.get(key)?.key : keys[key];
    const variables = await variablesOf(actor, args);
    if (text === undefined || variables === null) return null;
    const answer = shown(await actor.callAdmin(text, operation, variables));
    const client = (answer.body as { data?: { createClient?: AdminClient | null } }).data?.createClient;
    if (client) keepApplication(actor, n, client, "");
    return answer;
  });
});

const inPanel = planned(45, fc.tuple(CLIENT, CALLED_IN_PANEL), ([client, { call, person: drawn }], leader) => {
  const person = drawn !== "admin-two" || leader.members.size > 0 ? drawn : "admin";
  const { operation, args } = filled(call, client, leader);
  return step("panel", { operation, args, person }, async (actor, { n }) => {
    const panel = await actor.panel(person);
    if (panel === null) return { isLetIn: false };
    const variables = await variablesOf(actor, args);
    if (variables === null) return null;
    const answer = await panel.run(adminDocumentOf(operation), variables);
    const value = answer.data?.[operation] as Made | null | undefined;
    if (value?.apiKey && value.key) actor.adminKeys.set(n, { id: value.apiKey.id, key: value.key });
    const { id: application } = variables;
    if (value?.credential) actor.applicationKeys.set(n, { keyId: value.credential.keyId, application });
    if (operation === "addAdminMember" && value?.id) actor.members.set(n, value.id);
    return answer;
  });
});

export const adminCalls: fc.Arbitrary<Plan> = fc.oneof(withKey, inPanel);
