import type { AdminClient, CreateClientInput } from "../../_generated/adminWire.ts";
import { clientInput } from "../../context/adminApiClient.ts";
import { BURST, concurrently, DATE_TIME } from "../../context/findings.ts";
import { DESCRIBED_OPERATIONS } from "../../description/adminOperations.ts";
import { ALL_CAPABILITIES, PROVIDERS } from "../../description/providers.ts";
import { defineCases } from "../../harness/defineCase.ts";
import { allOf } from "../../wire/call.ts";
import { type AdminOperationName, adminKindOf } from "../../wire/documents.ts";
import { prepare } from "./support/preparations.ts";

/** A PNG of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPgijEDAAEQAJ3bTiK4AAAAAElFTkSuQmCC";

/** Changes of a valid input of createClient that each make one error. */
const WRONG_INPUTS: Readonly<Record<string, (input: CreateClientInput) => object>> = {
  "slug-upper-case": (input) => ({ slug: input.slug.toUpperCase() }),
  "slug-empty": () => ({ slug: "" }),
  "slug-space": (input) => ({ slug: `${input.slug} x` }),
  "slug-underscore": (input) => ({ slug: `${input.slug}_x` }),
  "slug-hyphen-first": (input) => ({ slug: `-${input.slug}` }),
  "slug-hyphen-last": (input) => ({ slug: `${input.slug}-` }),
  "slug-not-ascii": (input) => ({ slug: `${input.slug}é` }),
  "slug-200-characters": (input) => ({ slug: input.slug.padEnd(200, "a") }),
  "name-empty": () => ({ displayName: "" }),
  "name-blank": () => ({ displayName: " \t " }),
  "name-unseen": () => ({ displayName: "\u200b\u2060" }),
  "name-two-lines": () => ({ displayName: "two\nlines" }),
  "name-turned": () => ({ displayName: "abc\u202egnp.exe" }),
  "name-nul": () => ({ displayName: "a\0b" }),
  "name-2000-characters": () => ({ displayName: "x".repeat(2_000) }),
  "no-origin": () => ({ webOrigins: [] }),
  "origin-twice": (input) => ({ webOrigins: [...input.webOrigins, input.webOrigins[0]] }),
  "origin-with-path": (input) => ({ webOrigins: [`${input.webOrigins[0]}/`] }),
  "no-return-url": () => ({ returnUrls: [] }),
  "return-url-elsewhere": () => ({ returnUrls: ["https://elsewhere.example.test/return"] }),
  "one-return-url-elsewhere": (input) => ({
    returnUrls: [...input.returnUrls, "https://elsewhere.example.test/return"],
  }),
  "return-url-fragment": (input) => ({ returnUrls: [`${input.returnUrls[0]}#a`] }),
  "return-url-twice": (input) => ({ returnUrls: [input.returnUrls[0], input.returnUrls[0]] }),
  unconfirmed: () => ({ confirmedNoOnwardRedirect: false }),
  "confirmation-left-out": () => ({ confirmedNoOnwardRedirect: undefined }),
  "tenant-empty": () => ({ tenantKeys: [""] }),
  "tenant-129-characters": () => ({ tenantKeys: ["x".repeat(129)] }),
  "tenant-twice": () => ({ tenantKeys: ["a", "a"] }),
  "provider-twice": () => ({ providers: ["PROVIDER_A", "PROVIDER_A"] }),
  "provider-unknown": () => ({ providers: ["PROVIDER_Z"] }),
  "capability-twice": () => ({ capabilities: ["PROFILE", "PROFILE"] }),
  "input-field-unknown": () => ({ enabled: false }),
};

export const ADMIN_CLIENT_CASES = defineCases({ needs: ["admin"], application: "none" }, (test) => {
  test("S4.admin.createClient: A new client is as requested: enabled, without previews and identity, and read back the same.", async (t) => {
    const input = clientInput({
      displayName: "Ünïcode ✂️ <b>name</b>",
      providers: PROVIDERS,
      capabilities: ALL_CAPABILITIES,
      tenantKeys: ["tenant-one", "テナント", "x".repeat(128)],
    });
    const client = await t.admin.get("createClient", { input });
    const { confirmedNoOnwardRedirect: _, ...asked } = input;
    for (const [field, value] of Object.entries(asked))
      t.equal(sorted(client[field as keyof AdminClient]), sorted(value), field);
    t.shows(client, { enabled: true, previewOriginsEnabled: false, previewReturnPaths: [] }, "its initial state");
    t.shows(client, { idpIdentityEnabled: false, identityReturnUrls: [] }, "its identity sign-in");
    for (const moment of [client.createdAt, client.updatedAt]) t.matches(moment, DATE_TIME, "a moment");
    t.equal(await t.admin.get("adminClient", { id: client.id }), client, "as read back");
    const all = await allOf((after) => t.admin.get("adminClients", { first: 100, after }));
    const listed = all.find(({ id }) => id === client.id);
    t.equal(listed, client, "as listed");
  });
  for (const [name, change] of Object.entries(WRONG_INPUTS))
    test(`S4.admin.createClient.${name}: createClient with one error (${name}) is BAD_USER_INPUT, names no field, and creates nothing.`, async (t) => {
      const input = clientInput();
      const names = ["slug", "displayName", "webOrigins", "returnUrls", "tenantKeys", "confirmed"];
      await t.admin.refusesArguments("createClient", { input: { ...input, ...change(input) } }, names);
      await t.admin.get("createClient", { input });
    });
  test("S4.admin.createClient.slug-taken: A slug is unique, also among twenty concurrent calls, and a disabled client keeps it: SLUG_TAKEN.", async (t) => {
    const input = clientInput();
    await t.admin.refuses("createClient", { input: { ...input, slug: "No Slug" } }, "BAD_USER_INPUT");
    const outcomes = await concurrently(20, () => t.admin.call("createClient", { input }));
    const [made] = t.exactly(1, outcomes, ["CONFLICT SLUG_TAKEN"]).values;
    await t.admin.get("setClientEnabled", { id: made?.id ?? "", enabled: false });
    const other = { ...clientInput(), slug: input.slug };
    await t.admin.refuses("createClient", { input: other }, "CONFLICT", "SLUG_TAKEN");
  }).with({ holds: [BURST] });
  for (const name of DESCRIBED_OPERATIONS.filter(
    (name) => adminKindOf(name) === "mutation" && name.includes("Client"),
  ).filter((name) => name !== "createClient" && !name.endsWith("Credential") && name !== "setClientIdpIdentity"))
    test(`S4.admin.id-unknown.${name}: ${name} of a client that does not exist, or whose id is invalid, is NOT_FOUND.`, async (t) => {
      const { args } = await prepare(t, name);
      for (const id of [crypto.randomUUID(), "not-an-id", "", "'; DROP TABLE application; --", "\u{1F600}"])
        await t.admin.refuses(name, { ...args, id }, "NOT_FOUND", null, { what: JSON.stringify(id) });
      await t.admin.get(name, args as never);
    });
  test("S4.admin.adminClient.unknown: A client that does not exist is NOT_FOUND, also with an invalid id.", async (t) => {
    for (const id of [crypto.randomUUID(), "not-an-id", ""]) await t.admin.refuses("adminClient", { id }, "NOT_FOUND");
    // An invalid string may be bad input rather than an unknown id.
    const outcome = await t.admin.call("adminClient", { id: "a\0b" });
    t.oneOf(outcome.ok ? "a client" : outcome.code, ["NOT_FOUND", "BAD_USER_INPUT"], "an id with NUL");
    const { id } = await t.admin.client();
    await t.admin.get("adminClient", { id });
    await t.admin.get("adminClient", { id: id.toUpperCase() });
  });
  test("S4.admin.setClientDisplayName: A display name accepts any printable string and is returned unchanged.", async (t) => {
    const { id } = await t.admin.client();
    for (const displayName of ["A", "</script><img src=x onerror=alert(1)>", "שלום 統一 🦜", " padded "]) {
      t.equal((await t.admin.get("setClientDisplayName", { id, displayName })).displayName, displayName, "answered");
      t.equal((await t.admin.get("adminClient", { id })).displayName, displayName, "kept");
    }
    for (const displayName of ["", "   ", "\u200b", "two\nlines", "a\0b", "\ud800", "x".repeat(2_000)])
      await t.admin.refusesArguments("setClientDisplayName", { id, displayName }, ["displayName"]);
    t.equal((await t.admin.get("adminClient", { id })).displayName, " padded ", "the refused change had no effect");
  });
  test("S4.admin.setClientBranding: Branding is replaced as a whole; what a page could not show safely is refused.", async (t) => {
    const { id } = await t.admin.client();
    const none = { logo: null, brandColor: null, supportAddress: null, privacyUrl: null };
    const whole = {
      logo: `data:image/png;base64,${PIXEL}`,
      brandColor: "#0A5c36",
      supportAddress: "mailto:help@example.test",
      privacyUrl: "https://example.test/privacy?full=1#top",
    };
    for (const branding of [whole, { ...none, brandColor: "#ffffff" }, none, whole]) {
      const client = await t.admin.get("setClientBranding", { id, ...branding });
      const { logo, brandColor, supportAddress, privacyUrl } = client;
      t.equal({ logo, brandColor, supportAddress, privacyUrl }, branding, "the branding");
      t.equal(await t.admin.get("adminClient", { id }), client, "as read back");
    }
    const refused: Readonly<Record<keyof typeof whole, readonly string[]>> = {
      logo: [
        "https://example.test/logo.png",
        "data:image/svg+xml;base64,PHN2Zy8+",
        "data:text/html;base64,PGI+",
        `data:image/jpeg;base64,${PIXEL}`,
        `data:image/png;base64,${PIXEL}\n`,
        `data:image/png;base64,${"A".repeat(40_000)}`,
        "",
      ],
      brandColor: ["red", "#fff", "#0a5c36;", "#0a5c3g", ""],
      supportAddress: ["help@example.test", "javascript:alert(1)", "mailto:a@example.test?bcc=b@example.test", ""],
      privacyUrl: [
        "http://example.test/",
        "javascript:alert(1)",
        "https://a:b@example.test/",
        "https://example.test",
        "",
      ],
    };
    for (const [field, values] of Object.entries(refused))
      for (const value of values)
        await t.admin.refusesArguments("setClientBranding", { id, ...none, [field]: value }, [field]);
    t.equal((await t.admin.get("setClientBranding", { id })).brandColor, null, "absent arguments remove");
  });
  test("S4.admin.setClientPolicy: A policy replaces the previous one, may be empty, and contains no duplicates.", async (t) => {
    const { id } = await t.admin.client({ providers: PROVIDERS, capabilities: ALL_CAPABILITIES });
    for (const policy of [
      { providers: ["PROVIDER_C"], capabilities: ["CONTENT_LIST", "PROFILE"] },
      { providers: [], capabilities: [] },
      { providers: PROVIDERS, capabilities: ["CONTENT_METRICS"] },
    ]) {
      const client = await t.admin.get("setClientPolicy", { id, ...policy });
      t.equal(sorted(client.providers), sorted(policy.providers), "providers");
      t.equal(sorted(client.capabilities), sorted(policy.capabilities), "capabilities");
      t.equal(await t.admin.get("adminClient", { id }), client, "as read back");
    }
    for (const policy of [
      { providers: ["PROVIDER_A", "PROVIDER_A"], capabilities: [] },
      { providers: [], capabilities: ["PROFILE", "PROFILE"] },
      { providers: ["provider_a"], capabilities: [] },
      { providers: null, capabilities: [] },
      { capabilities: [] },
    ])
      await t.admin.refusesArguments("setClientPolicy", { id, ...policy }, ["providers", "capabilities"]);
  });
  test("S4.admin.setClientEnabled: A client is disabled and enabled again, keeps its settings, and setting the current state changes nothing.", async (t) => {
    const client = await t.admin.client();
    const { id } = client;
    const off = await t.admin.get("setClientEnabled", { id, enabled: false });
    t.equal({ ...off, updatedAt: client.updatedAt }, { ...client, enabled: false }, "disabled, otherwise unchanged");
    t.equal(await t.admin.get("setClientEnabled", { id, enabled: false }), off, "disabled twice");
    const on = await t.admin.get("setClientEnabled", { id, enabled: true });
    t.equal({ ...on, updatedAt: client.updatedAt }, client, "enabled, otherwise unchanged");
    t.holds(Date.parse(on.updatedAt) >= Date.parse(client.updatedAt), "updatedAt never decreases");
  });
  test("S2.admin.types: Arguments of another type, or missing ones, are BAD_USER_INPUT, and no message names the field.", async (t) => {
    const { id } = await t.admin.client();
    const names = ["enabled", "displayName", "tenantKey", "origin", "confirmed", "first", "apiKeyId"];
    const wrong: [AdminOperationName, unknown][] = [
      ["setClientEnabled", { id, enabled: "false" }],
      ["setClientEnabled", { id, enabled: null }],
      ["setClientEnabled", { id }],
      ["setClientEnabled", { enabled: true }],
      ["setClientDisplayName", { id, displayName: 1 }],
      ["addClientTenantKey", { id, tenantKey: ["a", "b"] }],
      ["addClientOrigin", { id: { a: 1 }, origin: "https://a.example.test" }],
      ["addClientReturnUrl", { id, url: "https://a.example.test/", confirmedNoOnwardRedirect: "true" }],
      ["adminClients", { first: "1" }],
      ["adminClients", { first: 1.5 }],
      ["adminAuditEntries", { first: 2_147_483_648 }],
      ["adminAuditEntries", { apiKeyId: {} }],
    ];
    for (const [name, args] of wrong) await t.admin.refusesArguments(name, args, names);
  });
});

/** Lists of a client are sets. */
function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...value].sort() : value;
}
