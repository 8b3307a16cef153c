import type { AdminOperationName } from "../../../packages/conformance/src/wire/documents.ts";
import { CAPABILITIES, SOCIAL_PROVIDERS } from "../../../packages/contract/src/index.ts";
import type { Model } from "./model.ts";
import type { AdminArguments, StepAction, Target } from "./steps.ts";

/** The arguments of an operation, with how often it is chosen. */
type Choice = readonly [weight: number, operation: readonly [AdminOperationName, AdminArguments]];

const choice = (weight: number, name: AdminOperationName, args: AdminArguments): Choice => [weight, [name, args]];

/** A step on the admin side: an operation with a key or in the panel. */
export function generateAdmin(model: Model): StepAction {
  return model.random.chance(0.55) ? withKey(model) : inPanel(model);
}

function withKey(model: Model): StepAction {
  const { random } = model;
  const [operation, args] = operationWithKey(model);
  const minted = model.adminKeys.length > 0 && random.chance(0.2) ? random.pick(model.adminKeys) : null;
  const key = minted ?? random.weighted({ write: 12, read: 2, wrong: 0.5 });
  return { do: "admin", operation, args, key };
}

function clientOf(model: Model): { readonly id: unknown; readonly slug: string; readonly n: Target } {
  const { random } = model;
  const n: Target = random.chance(0.96) ? random.pick(model.apps) : random.pick(["unknown", "malformed"] as const);
  return { id: { is: "application", of: n }, slug: `differential-${n}`, n };
}

function operationWithKey(model: Model): readonly [AdminOperationName, AdminArguments] {
  const { random } = model;
  const { id, slug } = clientOf(model);
  const own = `https://${slug}.example.test`;
  const origin = random.pick([
    own,
    `${own}:8443`,
    "https://other.example.test",
    "http://plain.example.test",
    "http://localhost:3000",
    `${own}/path`,
    "no origin",
    "https://*.example.test",
  ]);
  const url = random.pick([
    `${own}/return`,
    `${own}/third`,
    `${own}:8443/return`,
    "https://elsewhere.example.test/return",
    `${own}/return#part`,
    `${own}/return?ss_x=1`,
    "not a url",
    `${own}/other-return?kept=1`,
  ]);
  const tenantKey = random.pick([
    "tenant-one",
    "tenant-two",
    "tenant-three",
    "",
    "x".repeat(128),
    "x".repeat(129),
    " spaced ",
  ]);
  const path = random.pick(["/preview-return", "/other", "no-slash", "/with?query", "/", ""]);
  const providers = random.weightedEntry<readonly string[]>([
    [4, random.some(SOCIAL_PROVIDERS)],
    [1, []],
    [0.5, ["PROVIDER_A", "PROVIDER_A"]],
  ]);
  const capabilities = random.weightedEntry<readonly string[]>([
    [4, random.some(CAPABILITIES)],
    [1, []],
    [0.5, ["PROFILE", "PROFILE"]],
  ]);
  const lastKey = { is: "adminKeyId", of: model.adminKeys.at(-1) ?? "unknown" };
  return random.weightedEntry([
    choice(1, "previewTemplate", {}),
    choice(2, "adminClient", { id }),
    choice(1, "adminProviderAvailability", {}),
    // Only the service's log has sign-ins, which no key makes.
    choice(1, "adminAuditEntries", { first: random.pick([1, 5, 100, 0, 101, null]), apiKeyId: lastKey }),
    choice(1, "adminAuditEntries", { first: 20, apiKeyId: lastKey }),
    choice(2, "setClientEnabled", { id, enabled: random.chance(0.7) }),
    choice(2, "setClientDisplayName", { id, displayName: random.pick(DISPLAY_NAMES) }),
    choice(1, "setClientBranding", { id, brandColor: random.pick(["#0a5c36", "#FFFFFF", "red", null]) }),
    choice(3, "setClientPolicy", { id, providers, capabilities }),
    choice(2, "addClientTenantKey", { id, tenantKey }),
    choice(2, "removeClientTenantKey", { id, tenantKey }),
    choice(3, "addClientOrigin", { id, origin }),
    choice(3, "removeClientOrigin", { id, origin }),
    choice(3, "addClientReturnUrl", { id, url, confirmedNoOnwardRedirect: random.chance(0.85) }),
    choice(3, "removeClientReturnUrl", { id, url }),
    choice(2, "setClientPreviewOrigins", { id, enabled: random.chance(0.6) }),
    choice(2, "addClientPreviewReturnPath", { id, path }),
    choice(1, "removeClientPreviewReturnPath", { id, path }),
    choice(1, "createClient", { input: newClient(model) }),
    choice(0.5, random.pick(["apiKeys", "mintApiKey", "issueClientCredential"]), panelArguments(model)),
  ]);
}

const DISPLAY_NAMES = ["New name", "", "x".repeat(81), "x".repeat(200), "Tab\there", "Ünïcødé 🦜"];

/** Arguments with a valid format for any panel operation. */
function panelArguments(model: Model): AdminArguments {
  const { id } = clientOf(model);
  return { id, label: "x", scope: "READ", lifetimeDays: 1 };
}

function newClient({ random }: Model) {
  const slug = random.pick([`made-${random.int(1, 4)}`, "differential-1", "Bad Slug", "x", "-x", "x".repeat(64)]);
  const origin = `https://${/^[a-z0-9-]+$/.test(slug) ? slug : "made"}.example.test`;
  return {
    slug,
    displayName: "Made by a step",
    webOrigins: random.chance(0.9) ? [origin] : [],
    returnUrls: random.pick([
      [`${origin}/return`],
      [],
      ["https://elsewhere.example.test/return"],
      [`${origin}/return`, `${origin}/return`],
    ]),
    tenantKeys: random.pick([["tenant-one"], ["tenant-one"], [], ["a", "a"], [""]]),
    providers: random.pick([["PROVIDER_A"], [], ["PROVIDER_A", "PROVIDER_A"]]),
    capabilities: random.pick([["PROFILE"], ["PROFILE"], []]),
    confirmedNoOnwardRedirect: random.chance(0.9),
  };
}

function inPanel(model: Model): StepAction {
  const { random } = model;
  const { id, slug } = clientOf(model);
  const provider = random.pick(SOCIAL_PROVIDERS);
  const registration = { is: "registration", provider };
  const knownKey = model.applicationKeys.length > 0 ? random.pick(model.applicationKeys) : null;
  const keyToRevoke = () =>
    model.adminKeys.length > 0 && random.chance(0.9) ? random.pick(model.adminKeys) : "unknown";
  const credential = knownKey
    ? { id: { is: "application", of: knownKey.app }, keyId: { is: "applicationKeyId", of: knownKey.n } }
    : { id, keyId: "00000000-0000-4000-8000-000000000000" };
  const identityUrls = [
    null,
    [`https://${slug}.example.test/identity-return`],
    [],
    ["https://elsewhere.example.test/x"],
  ];
  const tester = () => {
    const account = random.pick(["unicode", "empty"]);
    return { id, provider, providerAccountId: { is: "accountId", provider, account } };
  };
  const [operation, args] = random.weightedEntry([
    choice(3, "mintApiKey", {
      label: random.pick(["A key", "", "x".repeat(200)]),
      scope: random.pick(["READ", "WRITE"]),
      lifetimeDays: random.pick([1, 7, 90, 0, 91, -1]),
    }),
    choice(2, "revokeApiKey", { id: { is: "adminKey", of: keyToRevoke() } }),
    choice(3, "issueClientCredential", { id, expiresInDays: random.pick([null, 1, 30, 0, -1, 10_000]) }),
    choice(3, "revokeClientCredential", credential),
    choice(2, "setClientIdpIdentity", { id, enabled: random.chance(0.7), returnUrls: random.pick(identityUrls) }),
    choice(1, "addAdminMember", { email: random.pick(EMAILS) }),
    choice(1, "removeAdminMember", {
      id: { is: "member", of: model.members.length > 0 ? random.pick(model.members).n : "unknown" },
    }),
    choice(2, "pauseRegistration", { id: registration }),
    choice(3, "publishRegistration", { id: registration }),
    choice(0.3, "disableRegistration", { id: registration }),
    choice(1, "updateRegistration", {
      id: registration,
      input: { is: "registrationInput", provider, capabilities: random.some(CAPABILITIES) },
    }),
    choice(1, "setRegistrationQuota", {
      id: registration,
      quota: random.pick([null, { units: 0 }, { units: 900_000 }]),
    }),
    choice(1, "clientCredentials", { id }),
    choice(1, "searchClients", { text: slug }),
    choice(1, "searchAuditEntries", { clientSlug: slug, first: random.pick([5, 100]) }),
    choice(1, "addClientTester", tester()),
    choice(1, "removeClientTester", tester()),
  ]);
  const person = model.members.length > 0 && random.chance(0.25) ? "admin-two" : random.chance(0.03) ? "ada" : "admin";
  return { do: "panel", operation, args, person };
}

const EMAILS = ["admin-two@example.test", "Admin-Two@Example.test", "not an address", "admin@example.test", ""];
