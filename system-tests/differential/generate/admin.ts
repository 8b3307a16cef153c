import fc from "fast-check";
import type { AdminOperationName } from "../../../packages/conformance/src/wire/documents.ts";
import { CAPABILITIES, SOCIAL_PROVIDERS } from "../../../packages/contract/src/index.ts";
import { rarely, times, weighted } from "../../times.ts";
import { newest, UNKNOWN_ID } from "../perform/actor.ts";
import type { AdminArguments, AdminReference, Target } from "../perform/steps.ts";
import { appOf, type Plan, pick, planned, someOf } from "./arbitraries.ts";

/** An operation with its arguments. `{client}` in them is the reference to an application, and `{slug}` its slug. */
type Operation = readonly [AdminOperationName, AdminArguments];
type Drawn = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** How often an operation is chosen, and its arguments. */
const choice = (weight: number, name: AdminOperationName, args: Drawn) => called(weight, name, fc.record(args));
const called = (weight: number, name: AdminOperationName, args: fc.Arbitrary<AdminArguments>) =>
  times(
    weight,
    args.map((drawn): Operation => [name, drawn]),
  );
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
  choice(6, "setClientPolicy", {
    id,
    providers: selection(SOCIAL_PROVIDERS),
    capabilities: selection(CAPABILITIES),
  }),
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
const registration = provider.map((at): AdminReference => ({ is: "registration", provider: at }));
const updated = fc
  .record({ is: only("registrationInput"), provider, capabilities: someOf(CAPABILITIES) })
  .map((input) => ({
    ...{ id: { is: "registration", provider: input.provider }, input },
  }));
const recent = (is: "adminKey" | "member") => pick.map((newest): AdminReference => ({ is, newest }));
const tester = fc.record({ at: provider, account: fc.constantFrom("unicode", "empty") }).map(({ at, account }) => ({
  ...{ id: "{client}", provider: at, providerAccountId: { is: "accountId", provider: at, account } },
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
  called(10, "removeClientTester", tester),
);

const CLIENT = fc.record({ app: pick, odd: rarely(4, fc.constantFrom<Target>("unknown", "malformed")) });

const CALLED_WITH_KEY = fc.record({
  operation: WITH_KEY,
  key: fc.oneof(times(4, weighted({ write: 24, read: 4, wrong: 1 })), times(1, pick)),
});
const CALLED_IN_PANEL = fc.record({
  operation: IN_PANEL,
  person: weighted({ admin: 72, "admin-two": 25, ada: 3 }),
});

/** The arguments with the application in them. */
function filled(drawn: AdminArguments, of: Target): AdminArguments {
  const text = JSON.stringify(drawn).replaceAll("{slug}", `differential-${of}`);
  return JSON.parse(text.replaceAll('"{client}"', JSON.stringify({ is: "application", of })));
}

/** A step on the admin side, with a key or in the panel. */
export const admin: fc.Arbitrary<Plan> = fc.oneof(
  planned(
    55,
    fc.tuple(CLIENT, CALLED_WITH_KEY),
    (
      [
        client,
        {
          operation: [operation, drawn],
          key,
        },
      ],
      leader,
    ) => {
      const args = filled(drawn, client.odd ?? appOf(leader, client.app));
      const minted = typeof key === "number" ? newest(leader.adminKeys.keys(), key) : key;
      return { do: "admin", operation, args, key: minted ?? "write" };
    },
  ),
  planned(
    45,
    fc.tuple(CLIENT, CALLED_IN_PANEL),
    (
      [
        client,
        {
          operation: [operation, drawn],
          person,
        },
      ],
      leader,
    ) => {
      const args = filled(drawn, client.odd ?? appOf(leader, client.app));
      const isKnown = person !== "admin-two" || leader.members.size > 0;
      return { do: "panel", operation, args, person: isKnown ? person : "admin" };
    },
  ),
);
