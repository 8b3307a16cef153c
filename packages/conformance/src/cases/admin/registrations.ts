import { DOWN } from "../../context/accounts.ts";
import type { Steps } from "../../context/steps.ts";
import { PROVIDERS } from "../../description/providers.ts";
import { defineCases } from "../../harness/defineCase.ts";
import { DRAFT, draftRegistration } from "./support/preparations.ts";

/** URLs that parsers interpret differently, or that this service cannot call. */
const WRONG_ADDRESSES = [
  "http:127.0.0.1/token",
  "http:/127.0.0.1/token",
  "https:provider.example.invalid/token",
  "http://x.localhost/token",
  "http://2130706433/token",
  "http://0x7f.1/token",
  "https://user@provider.example.invalid/token",
  "https://provider.example.invalid./token",
  "https://Provider.example.invalid/token",
  "https://provider.example.invalid:443/token",
  "https://provider.example.invalid:0/token",
  "https://provider.example.invalid\\token",
  "https://provider.example.invalid/to\nken",
  "https://bücher.example.invalid/token",
  "https://[0:0:0:0:0:0:0:1]/token",
  "https://provider.example.invalid/a/../token",
  "https://provider.example.invalid/token?key=1",
  "https://provider.example.invalid/token#",
  "http://provider.example.invalid/token",
  "ftp://provider.example.invalid/token",
  "provider.example.invalid/token",
] as const;

async function availabilityOf(t: Steps, provider: string) {
  return (await t.admin.get("adminProviderAvailability", {})).find((entry) => entry.provider === provider);
}

export const ADMIN_REGISTRATION_CASES = defineCases({ needs: ["admin"], application: "none" }, (test) => {
  test("S4.admin.adminRegistrations: Registrations are listed without their secret, and each provider's availability with its reason.", async (t) => {
    const { driver } = t.admin;
    const registrations = await t.admin.get("adminRegistrations", {}, { key: driver.readKey });
    const published = registrations.filter(({ status }) => status === "PUBLISHED");
    t.holds(published.length > 0, "some are published");
    for (const registration of registrations) {
      t.holds(registration.clientIdHint.length > 0 && registration.clientIdHint.length < 12, "only a hint");
      t.holds(registration.capabilities.length > 0, "capabilities");
    }
    const availability = await t.admin.get("adminProviderAvailability", {}, { key: driver.readKey });
    const providers = availability.map(({ provider }) => provider).sort();
    t.equal(providers, PROVIDERS, "one entry for each provider");
    for (const { available, reason } of availability)
      t.equal(reason === null, available, "a reason only where it is not available");
  });
  test("S4.admin.registration.moves: A draft of a registration is not published while its URLs do not respond, and its secret is never shown.", async (t) => {
    const id = await draftRegistration(t);
    const statusOf = async () => (await t.admin.get("adminRegistrations", {})).find((one) => one.id === id)?.status;
    t.equal(await statusOf(), "DRAFT", "its initial state");
    const secret = String(DRAFT.clientSecret);
    for (const shown of [
      await t.admin.get("adminRegistrations", {}),
      await t.admin.inPanel("registrationDetail", { id }),
      await t.admin.inPanel("searchAuditEntries", { first: 20 }),
    ])
      t.holds(!JSON.stringify(shown).includes(secret), "the secret is not shown");
    await t.admin.panelRefuses("publishRegistration", { id }, "ProviderCheckError");
    t.equal(await statusOf(), "DRAFT", "it is not published");
    t.equal((await t.admin.inPanel("disableRegistration", { id })).status, "DISABLED", "disabled");
    await t.admin.panelRefuses("disableRegistration", { id }, "ConflictError");
    await t.admin.panelRefuses("publishRegistration", { id }, "ProviderCheckError");
    t.equal(await statusOf(), "DISABLED", "it stays disabled");
    for (const unknown of [crypto.randomUUID(), "none"]) {
      await t.admin.panelRefuses("publishRegistration", { id: unknown }, "NotFoundError");
      await t.admin.panelRefuses("disableRegistration", { id: unknown }, "NotFoundError");
    }
  });
  test("S4.admin.registration.addresses: A registration URL that is not callable is refused at its field, in any spelling.", async (t) => {
    for (const [index, url] of WRONG_ADDRESSES.entries()) {
      const name = (["authorization", "token", "revocation", "api", "issuer"] as const)[index % 5] ?? "token";
      const input = { ...DRAFT, addresses: { ...DRAFT.addresses, [name]: url } };
      const args = { provider: "PROVIDER_B", input } as const;
      const refused = await t.admin.panelRefuses("createRegistration", args, "InvalidInputError");
      t.equal(refused.field, `addresses.${name}`, `the field of ${JSON.stringify(url)}`);
    }
  });
  test("S4.admin.registration.origin: A registration URL moves to another origin only with the client secret, and is audited with both origins.", async (t) => {
    const id = await draftRegistration(t);
    const { clientSecret = null, ...known } = DRAFT;
    const detail = () => t.admin.inPanel("registrationDetail", { id });
    const update = (addresses: Partial<typeof DRAFT.addresses>, secret: Partial<typeof DRAFT> = {}) => ({
      id,
      input: { ...known, addresses: { ...DRAFT.addresses, ...addresses }, ...secret },
    });
    const samePath = { token: `${DRAFT.addresses.token}/v2` };
    t.equal((await t.admin.inPanel("updateRegistration", update(samePath))).id, id, "another path needs no secret");
    for (const [name, url] of Object.entries({
      authorization: "https://other.example.invalid/authorize",
      token: "https://other.example.invalid/token",
      revocation: "https://provider.example.invalid:8443/revoke",
      api: "https://other.example.invalid/api",
      issuer: "https://other.example.invalid",
    })) {
      const before = await detail();
      const args = update({ ...samePath, [name]: url });
      const refused = await t.admin.panelRefuses("updateRegistration", args, "InvalidInputError");
      t.equal(refused.field, "clientSecret", `the missing field when ${name} moves`);
      t.equal((await detail()).addresses, before.addresses, "nothing changed");
    }
    const moved = update({ token: "https://other.example.invalid/token" }, { clientSecret });
    await t.admin.inPanel("updateRegistration", moved);
    t.equal((await detail()).addresses.token, moved.input.addresses.token, "with the secret it moves");
    const { items } = await t.admin.inPanel("searchAuditEntries", { first: 20, action: "Registration changed" });
    const summary = items.find((entry) => entry.targetId === id)?.summary ?? "";
    for (const origin of ["https://provider.example.invalid", "https://other.example.invalid"])
      t.holds(summary.includes(origin), `the audit entry names ${origin}`, summary);
    t.holds(!summary.includes(String(clientSecret)), "and not the secret");
  });
  test("S4.admin.registration.quota: A registration's own quota replaces the provider's default in its fields, can be reset, and is validated.", async (t) => {
    const id = await draftRegistration(t);
    const detail = () => t.admin.inPanel("registrationDetail", { id });
    const { quota: usual, defaultQuota, updatedAt } = await detail();
    t.equal(usual, defaultQuota, "without an own quota the default applies");
    const own = { units: 500, window: null, per: null, reserve: 0 };
    await t.admin.inPanel("setRegistrationQuota", { id, quota: own });
    const changed = await detail();
    t.equal(changed.quotaOverride, own, "its own quota");
    t.equal(changed.quota, { ...usual, units: 500, reserve: 0 }, "the quota that applies");
    t.equal(changed.updatedAt, updatedAt, "the rest did not change");
    t.equal(changed.quotaUse, [], "no call was made");
    for (const [field, quota] of [
      ["units", { units: 0 }],
      ["units", { units: 100_000_001 }],
      ["reserve", { reserve: -0.1 }],
      ["reserve", { reserve: 0.91 }],
    ] as const) {
      const refused = await t.admin.panelRefuses("setRegistrationQuota", { id, quota }, "InvalidInputError");
      t.equal(refused.field, field, `the field of ${JSON.stringify(quota)}`);
    }
    t.equal((await detail()).quotaOverride, own, "a refused change changes nothing");
    await t.admin.inPanel("setRegistrationQuota", { id, quota: { window: "MINUTE", per: "ACCOUNT" } });
    t.equal((await detail()).quota, { ...usual, window: "MINUTE", per: "ACCOUNT" }, "it replaces the own quota");
    await t.admin.inPanel("setRegistrationQuota", { id });
    t.equal((await detail()).quota, usual, "reset");
    for (const unknown of [crypto.randomUUID(), "none"])
      await t.admin.panelRefuses("setRegistrationQuota", { id: unknown }, "NotFoundError");
  });
  for (const status of ["PAUSED", "DISABLED"] as const)
    test(`S4.admin.registration.${status.toLowerCase()}: While the only registration at a provider is ${status}, the provider is not available, and the reason is correct.`, async (t) => {
      const provider = "PROVIDER_C";
      t.equal(await availabilityOf(t, provider), { provider, available: true, reason: null }, "before");
      await t.whileRegistration(provider, status, async () => {
        const listed = (await t.admin.get("adminRegistrations", {})).filter((one) => one.provider === provider);
        t.holds(listed.map((one) => one.status).includes(status), `it is listed as ${status}`, listed);
        const expected = { provider, available: false, reason: `REGISTRATION_${status}` };
        t.equal(await availabilityOf(t, provider), expected, "meanwhile");
        t.equal((await availabilityOf(t, "PROVIDER_A"))?.available, true, "another provider");
      });
      t.equal((await availabilityOf(t, "PROVIDER_C"))?.available, true, "afterwards");
    }).with({ lane: "alone", needs: ["operator"] });
  test("S4.admin.registration.probe: A paused registration is published again only when its token and revocation URLs respond as they should.", async (t) => {
    const operator = t.driver("operator");
    const status = async () => (await t.admin.get("adminRegistrations", {})).find((one) => one.id === id)?.status;
    const published = (await t.admin.get("adminRegistrations", {})).find(
      (one) => one.provider === "PROVIDER_B" && one.status === "PUBLISHED",
    );
    const id = published?.id ?? "";
    await operator.setRegistrationStatus("PROVIDER_B", "PAUSED");
    try {
      for (const [call, address] of [
        ["exchange", "token"],
        ["revoke", "revocation"],
      ] as const) {
        for (const fault of [DOWN, { kind: "rate-limited" }] as const) {
          await t.whileFault("PROVIDER_B", call, fault, { count: 1 }, async () => {
            const refused = await t.admin.panelRefuses("publishRegistration", { id }, "ProviderCheckError");
            t.equal(refused.addresses, [address], `what fails while ${call} is ${fault.kind}`);
            t.equal(await status(), "PAUSED", "it is not published");
          });
        }
      }
      await t.whileFault("PROVIDER_B", "exchange", DOWN, { account: "deny" }, async () => {
        t.equal((await t.admin.inPanel("publishRegistration", { id })).status, "PUBLISHED", "a fault of one account");
      });
      t.equal(await status(), "PUBLISHED", "it is published");
    } finally {
      if ((await status()) !== "PUBLISHED") await operator.setRegistrationStatus("PROVIDER_B", "PUBLISHED");
    }
  }).with({ lane: "alone", needs: ["operator", "provider"] });
  test("S4.admin.lists: Admins, keys and the preview template are shown with their fields.", async (t) => {
    const members = await t.admin.get("adminMembers", {}, { key: t.admin.driver.readKey });
    const own = members.find(({ email }) => email === t.admin.driver.panel.email);
    t.equal(own?.bound, t.admin.driver.panel.session !== undefined, "an admin who signs in");
    const keys = await t.admin.inPanel("apiKeys", { first: 100 });
    const scopes = new Set(keys.items.map(({ scope }) => scope));
    t.equal([...scopes].sort(), ["READ", "WRITE"], "the keys of this target");
    for (const key of keys.items) t.holds(Date.parse(key.expiresAt) > Date.parse(key.createdAt), "every key expires");
    const { items, pageInfo } = await t.admin.inPanel("apiKeys", { first: 1 });
    const next = await t.admin.inPanel("apiKeys", { first: 1, after: pageInfo.endCursor });
    t.holds(next.items.length === 1 && next.items[0]?.id !== items[0]?.id, "the next page has another key", next);
    const { template } = await t.admin.get("previewTemplate", {});
    t.equal(template, t.target.previewTemplate ?? null, "the template");
  });
  test("S8.admin.page-size: A page of clients has 1 to 100 entries in a stable order, and an altered cursor is refused.", async (t) => {
    const made = [];
    for (let count = 0; count < 3; count += 1) made.push((await t.admin.client()).id);
    const first = await t.admin.get("adminClients", { first: 2 });
    t.equal([first.items.length, first.pageInfo.hasNextPage], [2, true], "a page of two");
    const second = await t.admin.get("adminClients", { first: 2, after: first.pageInfo.endCursor });
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    t.equal(new Set(ids).size, ids.length, "the next two are others");
    t.holds((await t.admin.get("adminClients", {})).items.length <= 50, "50 when absent");
    const after = first.pageInfo.endCursor ?? "";
    const sizes = [0, 101, -5].map((first) => ({ first }));
    for (const args of [...sizes, { after: "nonsense" }, { after: `${after}x` }, { after: "" }])
      await t.admin.refuses("adminClients", args, "BAD_USER_INPUT", null, { what: JSON.stringify(args) });
    const found = await t.admin.inPanel("searchClients", { text: made[0] ?? "", first: 5 });
    t.equal([found.items.length, found.items[0]?.id], [1, made[0]], "found by its id");
  });
});
