import { describe, expect, test } from "vitest";
import { NOW } from "../testing/time.ts";
import { auditWithEnded, type OpenAttempts } from "./attempts.ts";
import { NO_BRANDING } from "./branding.ts";
import {
  CLIENT_CHANGES,
  type ClientChangeInput,
  type ClientChangeName,
  type ClientFacts,
  decideClientChange,
  lossesOf,
} from "./changes.ts";
import type { Client } from "./client.ts";
import { CLIENT_LIMITS } from "./clientRules.ts";
import { type CreateClientInput, decideCreateClient } from "./createClient.ts";
import { decideAddTester, decideRemoveTester, decideSetTesterNote } from "./testers.ts";

const EARLIER = new Date("2026-02-01T12:00:00.000Z");
const client: Client = {
  id: "c1",
  slug: "shop",
  displayName: "Shop",
  enabled: true,
  webOrigins: ["https://shop.example", "https://other.example"],
  returnUrls: ["https://shop.example/back", "https://shop.example/back?from=app"],
  identityReturnUrls: ["https://other.example/in"],
  providers: ["PROVIDER_A"],
  capabilities: ["PROFILE"],
  tenantKeys: ["tenant-1"],
  previewOriginsEnabled: false,
  previewReturnPaths: ["/back"],
  idpIdentityEnabled: true,
  ...NO_BRANDING,
  createdAt: EARLIER,
  updatedAt: EARLIER,
};
const NO_ATTEMPTS: OpenAttempts = { connect: [], identity: [] };

function decide<Name extends ClientChangeName>(
  name: Name,
  input: ClientChangeInput<Name>,
  changed: Partial<Client> = {},
  facts: Partial<ClientFacts> = {},
) {
  const all = { client: { ...client, ...changed }, openAttempts: NO_ATTEMPTS, mode: "sandbox", ...facts } as const;
  return decideClientChange(name, { previewTemplate: null, ...all }, input, NOW);
}

/** The reason or code of a refusal, "unchanged", or "changed". */
function outcome(decision: ReturnType<typeof decide>): string {
  if (decision === null) return "unchanged";
  return "code" in decision ? (decision.reason ?? decision.code) : "changed";
}

describe("what each change patches and audits", () => {
  const CALLS = {
    disable: ["setClientEnabled", { enabled: false }],
    rename: ["setClientDisplayName", { displayName: "Store" }],
    brand: ["setClientBranding", { brandColor: "#0a5c36", privacyUrl: "https://shop.example/privacy" }],
    "allow providers": ["setClientPolicy", { providers: ["PROVIDER_B", "PROVIDER_A"], capabilities: [] }],
    "allow a capability": ["setClientPolicy", { providers: [], capabilities: ["PROFILE"] }],
    "add a tenant": ["addClientTenantKey", { tenantKey: "t2" }],
    "remove a tenant": ["removeClientTenantKey", { tenantKey: "tenant-1" }],
    "add an origin": ["addClientOrigin", { origin: "https://new.example" }],
    "add a URL": ["addClientReturnUrl", { url: "https://shop.example/new", confirmedNoOnwardRedirect: true }],
    "remove a URL": ["removeClientReturnUrl", { url: "https://shop.example/back" }],
    "allow previews": ["setClientPreviewOrigins", { enabled: true }],
    "add a path": ["addClientPreviewReturnPath", { path: "/new" }],
    "remove a path": ["removeClientPreviewReturnPath", { path: "/back" }],
    "end sign-in": ["setClientIdpIdentity", { enabled: false }],
    "end sign-in without URLs": ["setClientIdpIdentity", { enabled: false, returnUrls: [] }],
  } as const satisfies Record<string, readonly [ClientChangeName, object]>;
  const SWITCHED_OFF = "Switched the identity sign-in off; return URLs:";
  const make = (call: keyof typeof CALLS) => {
    const [name, input] = CALLS[call];
    return decide(name, input as ClientChangeInput<typeof name>);
  };

  test.each([
    ["disable", { enabled: false }],
    ["rename", { displayName: "Store" }],
    ["allow providers", { providers: ["PROVIDER_A", "PROVIDER_B"], capabilities: [] }],
    ["allow a capability", { providers: [], capabilities: ["PROFILE"] }],
    ["add a tenant", { tenantKeys: ["tenant-1", "t2"] }],
    ["remove a tenant", { tenantKeys: [] }],
    ["add an origin", { webOrigins: [...client.webOrigins, "https://new.example"] }],
    ["add a URL", { returnUrls: [...client.returnUrls, "https://shop.example/new"] }],
    ["remove a URL", { returnUrls: ["https://shop.example/back?from=app"] }],
    ["allow previews", { previewOriginsEnabled: true }],
    ["add a path", { previewReturnPaths: ["/back", "/new"] }],
    ["remove a path", { previewReturnPaths: [] }],
    ["end sign-in", { idpIdentityEnabled: false, identityReturnUrls: ["https://other.example/in"] }],
    ["end sign-in without URLs", { idpIdentityEnabled: false, identityReturnUrls: [] }],
  ] as const)("%s patches %j", (call, patch) => {
    expect(make(call)).toEqual({ patch: { ...patch, updatedAt: NOW }, followUps: [], audit: expect.anything() });
  });

  test.each([
    ["disable", "Client disabled", "Disabled the client shop."],
    ["rename", "Display name changed", 'Changed the display name from "Shop" to "Store".'],
    [
      "allow providers",
      "Policy changed",
      "Allowed PROVIDER_A · YouTube Data API v3, PROVIDER_B · TikTok Display API v2 with no capability.",
    ],
    ["allow a capability", "Policy changed", "Allowed no provider with profile."],
    ["add a tenant", "Tenant key added", "Added the tenant t2."],
    ["remove a tenant", "Tenant key removed", "Removed the tenant tenant-1."],
    ["add an origin", "Origin added", "Added the origin https://new.example."],
    ["add a URL", "Return URL added", "Added the return URL https://shop.example/new."],
    ["remove a URL", "Return URL removed", "Removed the return URL https://shop.example/back."],
    ["allow previews", "Preview origins switched on", "Switched preview origins on."],
    ["add a path", "Preview return path added", "Added the preview return path /new."],
    ["remove a path", "Preview return path removed", "Removed the preview return path /back."],
    ["end sign-in", "Identity sign-in changed", `${SWITCHED_OFF} https://other.example/in.`],
    ["end sign-in without URLs", "Identity sign-in changed", `${SWITCHED_OFF} none.`],
  ] as const)("%s is audited as %s", (call, action, summary) => {
    const audit = { action, summary, target: { type: "CLIENT", id: "c1" }, clientSlug: "shop" };
    expect(make(call)).toMatchObject({ audit });
  });

  test("removeClientOrigin keeps the other origins", () => {
    const decision = decide("removeClientOrigin", { origin: "https://other.example" }, { identityReturnUrls: [] });
    expect(decision).toMatchObject({
      patch: { webOrigins: ["https://shop.example"] },
      audit: { action: "Origin removed", summary: "Removed the origin https://other.example." },
    });
  });

  test("setClientEnabled enables a disabled client", () => {
    expect(decide("setClientEnabled", { enabled: true }, { enabled: false })).toMatchObject({
      patch: { enabled: true },
      audit: { action: "Client enabled", summary: "Enabled the client shop." },
    });
  });

  test.each([
    ["setClientEnabled", { enabled: true }],
    ["setClientDisplayName", { displayName: "Shop" }],
    ["setClientPolicy", { providers: ["PROVIDER_A"], capabilities: ["PROFILE"] }],
    ["setClientPreviewOrigins", { enabled: false }],
    ["setClientIdpIdentity", { enabled: true }],
    ["setClientIdpIdentity", { enabled: true, returnUrls: ["https://other.example/in"] }],
  ] as const)("%s to the current state %j changes nothing", (name, input) => {
    expect(decide(name, input as ClientChangeInput<typeof name>)).toBeNull();
  });

  test.each(Object.keys(CLIENT_CHANGES) as ClientChangeName[])("%s of an unknown client is NOT_FOUND", (name) => {
    const facts = { client: null, openAttempts: NO_ATTEMPTS, mode: "live", previewTemplate: null } as const;
    expect(decideClientChange(name, facts, {} as never, NOW)).toEqual({
      code: "NOT_FOUND",
      message: "The client does not exist.",
    });
  });
});

test.each([
  ["https://new.example", "live", "changed"],
  ["https://new.example:8443", "live", "changed"],
  ["http://localhost:3000", "sandbox", "changed"],
  ["http://localhost:3000", "live", "BAD_USER_INPUT"],
  ["http://new.example", "sandbox", "BAD_USER_INPUT"],
  ["https://new.example/", "sandbox", "BAD_USER_INPUT"],
  ["https://NEW.example", "sandbox", "BAD_USER_INPUT"],
  ["https://new.example:443", "sandbox", "BAD_USER_INPUT"],
  ["https://*.example", "sandbox", "BAD_USER_INPUT"],
  ["null", "sandbox", "BAD_USER_INPUT"],
  ["", "sandbox", "BAD_USER_INPUT"],
  ["https://shop.example", "sandbox", "ALREADY_PRESENT"],
] as const)("adding the origin %j in %s mode: %s", (origin, mode, expected) => {
  expect(outcome(decide("addClientOrigin", { origin }, {}, { mode }))).toBe(expected);
});

test("an origin can be removed when another is left and no return URL uses it", () => {
  const remove = (origin: string, changed: Partial<Client> = {}) =>
    outcome(decide("removeClientOrigin", { origin }, changed));
  expect(remove("https://shop.example")).toBe("ORIGIN_IN_USE");
  expect(remove("https://other.example")).toBe("ORIGIN_IN_USE");
  expect(remove("https://none.example")).toBe("NOT_FOUND");
  expect(remove("https://other.example", { identityReturnUrls: [] })).toBe("changed");
  expect(remove("https://shop.example", { webOrigins: ["https://shop.example"] })).toBe("LAST_ORIGIN");
});

test.each([
  ["https://shop.example/new", "changed"],
  ["https://shop.example/new?a=b", "changed"],
  ["https://shop.example/new#", "BAD_USER_INPUT"],
  ["https://shop.example/new?ss_status=x", "BAD_USER_INPUT"],
  ["https://shop.example", "BAD_USER_INPUT"],
  ["https://third.example/new", "BAD_USER_INPUT"],
  ["https://user@shop.example/new", "BAD_USER_INPUT"],
  ["https://shop.example/a/../new", "BAD_USER_INPUT"],
  ["javascript:alert(1)", "BAD_USER_INPUT"],
  ["https://shop.example/back", "ALREADY_PRESENT"],
])("adding the return URL %j: %s", (url, expected) => {
  expect(outcome(decide("addClientReturnUrl", { url, confirmedNoOnwardRedirect: true }))).toBe(expected);
});

test("the last return URL cannot be removed", () => {
  const remove = (url: string, changed: Partial<Client> = {}) =>
    outcome(decide("removeClientReturnUrl", { url }, changed));
  expect(remove("https://shop.example/none")).toBe("NOT_FOUND");
  expect(remove("https://a.example/", { returnUrls: ["https://a.example/"] })).toBe("LAST_RETURN_URL");
});

test.each([
  ["addClientTenantKey", { tenantKey: "tenant-1" }, "ALREADY_PRESENT"],
  ["removeClientTenantKey", { tenantKey: "tenant-2" }, "NOT_FOUND"],
  ["addClientPreviewReturnPath", { path: "/back" }, "ALREADY_PRESENT"],
  ["removeClientPreviewReturnPath", { path: "/other" }, "NOT_FOUND"],
  ["setClientIdpIdentity", { enabled: true, returnUrls: [] }, "BAD_USER_INPUT"],
] as const)("%s %j: %s", (name, input, expected) => {
  expect(outcome(decide(name, input as ClientChangeInput<typeof name>))).toBe(expected);
});

test("a list has at most as many entries as its limit", () => {
  const full = Array.from({ length: CLIENT_LIMITS.tenantKeys }, (_, index) => `tenant-${index}`);
  const add = (tenantKeys: string[]) => outcome(decide("addClientTenantKey", { tenantKey: "next" }, { tenantKeys }));
  expect(add(full)).toBe("BAD_USER_INPUT");
  expect(add(full.slice(1))).toBe("changed");
});

test("what a change takes away", () => {
  const none = { isDisabled: false, providers: [], capabilities: [], tenantKeys: [] };
  expect(lossesOf(client, { enabled: false })).toEqual({ ...none, isDisabled: true });
  expect(lossesOf(client, { providers: [], capabilities: ["PROFILE"] })).toEqual({
    ...none,
    providers: ["PROVIDER_A"],
  });
  expect(lossesOf(client, { tenantKeys: ["t2"] })).toEqual({ ...none, tenantKeys: ["tenant-1"] });
  expect(lossesOf(client, { returnUrls: [] })).toEqual(none);
  for (const patch of [{ tenantKeys: ["tenant-1", "t2"] }, { displayName: "Store" }, { previewOriginsEnabled: true }])
    expect(lossesOf(client, patch)).toBeNull();
});

describe("attempts that a change ends", () => {
  const returnUrl = "https://shop.example/back";
  const openAttempts: OpenAttempts = {
    connect: [
      { status: "CREATED", provider: "PROVIDER_A", returnUrl },
      { status: "AUTHORIZING", provider: "PROVIDER_A", returnUrl: "https://shop.example/back?from=app" },
      { status: "EXCHANGING", provider: "PROVIDER_A", returnUrl },
      { status: "EXCHANGING", provider: "PROVIDER_C", returnUrl },
    ],
    identity: [{ returnUrl: "https://other.example/in" }],
  };
  const end = <Name extends ClientChangeName>(name: Name, input: ClientChangeInput<Name>) => {
    const decision = decide(name, input, {}, { openAttempts });
    if (decision === null || "code" in decision) throw new Error("The change was refused.");
    return decision.followUps;
  };
  const [created, authorizing, exchanging, exchangingWithoutRevocation] = openAttempts.connect;
  const [signIn] = openAttempts.identity;
  const failedSignIn = { type: "END_IDENTITY_ATTEMPTS", attempts: signIn, patch: { status: "FAILED" } };

  test("disabling ends all but attempts that exchange their code", () => {
    const patch = { status: "CANCELED", resultCode: "APPLICATION_DISABLED", creatorAction: null };
    expect(end("setClientEnabled", { enabled: false })).toEqual([
      { type: "END_CONNECT_ATTEMPTS", attempts: created, patch },
      { type: "END_CONNECT_ATTEMPTS", attempts: authorizing, patch },
      failedSignIn,
    ]);
  });

  test("the audit entry of a disabled client counts them once they have ended", () => {
    const decision = decide("setClientEnabled", { enabled: false }, {}, { openAttempts });
    if (decision === null || "code" in decision) throw new Error("The change was refused.");
    const summary = "Disabled the client shop; unfinished attempts ended: 11.";
    const ended = { field: "affected.unfinishedAttempts", before: 11, after: null };
    const keys = { field: "affected.keys", before: 2, after: null };
    const changes = [...decision.audit.changes, keys, ended];
    expect(auditWithEnded(decision.audit, 11, { keys: 2 })).toEqual({ ...decision.audit, summary, changes });
    const other = { ...decision.audit, action: "Client enabled" } as const;
    expect(auditWithEnded(other, 11)).toEqual(other);
  });

  test("removing a return URL ends its attempts; where the provider cannot revoke, the person must remove the app", () => {
    const patch = { status: "FAILED", resultCode: "POLICY_CHANGED", creatorAction: null };
    const withAction = { ...patch, creatorAction: "REMOVE_APP_AT_PROVIDER" };
    expect(end("removeClientReturnUrl", { url: returnUrl })).toEqual([
      { type: "END_CONNECT_ATTEMPTS", attempts: created, patch },
      { type: "END_CONNECT_ATTEMPTS", attempts: exchanging, patch },
      { type: "END_CONNECT_ATTEMPTS", attempts: exchangingWithoutRevocation, patch: withAction },
    ]);
  });

  test("replacing the identity return URLs ends the identity attempts", () => {
    const returnUrls = ["https://other.example/elsewhere"];
    expect(end("setClientIdpIdentity", { enabled: true, returnUrls })).toEqual([failedSignIn]);
  });

  test("other changes end nothing", () => {
    expect(end("addClientTenantKey", { tenantKey: "t2" })).toEqual([]);
  });
});

describe("a new client", () => {
  const input: CreateClientInput = {
    slug: "new",
    displayName: "New",
    webOrigins: ["https://new.example"],
    returnUrls: ["https://new.example/back"],
    tenantKeys: ["t"],
    providers: ["PROVIDER_A"],
    capabilities: ["PROFILE"],
    confirmedNoOnwardRedirect: true,
  };
  const create = (changed: Partial<CreateClientInput>, slugIsTaken = false) =>
    decideCreateClient({ slugIsTaken, mode: "live" }, { ...input, ...changed }, "c2", NOW);

  test("is enabled, without previews and identity sign-in", () => {
    const { confirmedNoOnwardRedirect: _, ...stored } = input;
    expect(create({})).toEqual({
      patch: {
        ...stored,
        ...NO_BRANDING,
        id: "c2",
        enabled: true,
        identityReturnUrls: [],
        previewOriginsEnabled: false,
        previewReturnPaths: [],
        idpIdentityEnabled: false,
        createdAt: NOW,
        updatedAt: NOW,
      },
      followUps: [],
      audit: {
        action: "Client created",
        summary: "Created the client new with the origins https://new.example.",
        target: { type: "CLIENT", id: "c2" },
        clientSlug: "new",
        changes: expect.arrayContaining([{ field: "tenantKeys", before: null, after: ["t"] }]),
      },
    });
  });

  test("needs web origins, and a unique slug", () => {
    expect(create({ webOrigins: [] }, true)).toMatchObject({ code: "BAD_USER_INPUT", field: "webOrigins" });
    expect(create({}, true)).toMatchObject({ code: "CONFLICT", reason: "SLUG_TAKEN" });
  });
});

describe("testers", () => {
  const account = { provider: "PROVIDER_B", providerAccountId: "account-1" } as const;
  const facts = { client, testers: [{ ...account, provider: "PROVIDER_A" as const }] };
  const listed = { client, testers: [account] };

  test("are added once and removed once", () => {
    expect(decideAddTester(facts, account)).toMatchObject({
      patch: account,
      audit: {
        action: "Tester added",
        summary: "Added a tester account at PROVIDER_B · TikTok Display API v2.",
        clientSlug: "shop",
      },
    });
    expect(decideAddTester(listed, account)).toMatchObject({ reason: "ALREADY_PRESENT" });
    expect(decideRemoveTester(listed, account)).toMatchObject({
      patch: account,
      audit: { action: "Tester removed", summary: "Removed a tester account at PROVIDER_B · TikTok Display API v2." },
    });
    expect(decideRemoveTester(facts, account)).toMatchObject({ message: "The tester does not exist." });
  });

  test("have a note, which is in no audit entry", () => {
    const noted = { ...account, note: " Mara from QA " };
    expect(decideAddTester(facts, noted)).toMatchObject({ patch: { ...account, note: "Mara from QA" } });
    const changed = decideSetTesterNote(listed, noted);
    expect(changed).toMatchObject({
      patch: { ...account, note: "Mara from QA" },
      audit: {
        action: "Tester note changed",
        summary: "Changed the note of a tester account at PROVIDER_B · TikTok Display API v2.",
        changes: [{ field: "note.PROVIDER_B", before: null, after: "set" }],
      },
    });
    const again = decideSetTesterNote({ client, testers: [{ ...account, note: "Noor" }] }, noted);
    expect(again).toMatchObject({ audit: { changes: [{ before: "set", after: "changed" }] } });
    for (const decision of [decideAddTester(facts, noted), changed])
      expect(JSON.stringify("audit" in decision && decision.audit)).not.toContain("Mara");
    for (const note of ["  ", null, undefined])
      expect(decideSetTesterNote(listed, { ...account, note })).toMatchObject({
        patch: { note: null },
        audit: { summary: "Removed the note of a tester account at PROVIDER_B · TikTok Display API v2." },
      });
    expect(decideSetTesterNote(facts, noted)).toMatchObject({ message: "The tester does not exist." });
  });

  test("need a client", () => {
    for (const decide of [decideAddTester, decideRemoveTester, decideSetTesterNote])
      expect(decide({ client: null, testers: [] }, account)).toMatchObject({ code: "NOT_FOUND" });
  });
});
