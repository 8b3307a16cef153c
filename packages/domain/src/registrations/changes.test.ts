import { REGISTRATION_STATUSES } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { NOW } from "../testing/time.ts";
import {
  checkPublishable,
  decideCreateRegistration,
  decidePublishRegistration,
  decideStopRegistration,
  decideUpdateRegistration,
  type EditedRegistration,
  type RegistrationInput,
} from "./changes.ts";

const EARLIER = new Date("2026-02-01T12:00:00.000Z");
const input: RegistrationInput = {
  clientId: "client-123",
  clientSecret: "secret",
  addresses: {
    authorization: "https://accounts.example/authorize",
    token: "https://api.example/token",
    revocation: "https://api.example/revoke",
    api: "https://api.example/v1",
    issuer: "",
  },
  scopes: [{ capability: "PROFILE", scopes: ["read"] }],
  capabilities: ["PROFILE"],
  clientIds: ["C1", "c2", "c1"],
};
const registration: EditedRegistration = {
  id: "r1",
  provider: "PROVIDER_B",
  clientId: "client-123",
  status: "DRAFT",
  addresses: input.addresses,
  scopes: { PROFILE: ["read"], CONTENT_LIST: ["list"], CONTENT_LOOKUP: [], CONTENT_METRICS: [] },
  capabilities: ["PROFILE"],
  clients: null,
  updatedAt: EARLIER,
};
const known = (ids: readonly string[]) => ids.map((id) => ({ id, slug: `shop-${id}` }));
const facts = { knownClients: known(["c1", "c2"]), mode: "live" } as const;
const columns = {
  clientId: "client-123",
  addresses: {
    authorization: "https://accounts.example/authorize",
    token: "https://api.example/token",
    revocation: "https://api.example/revoke",
    api: "https://api.example/v1",
  },
  scopes: { PROFILE: ["read"], CONTENT_LIST: [], CONTENT_LOOKUP: [], CONTENT_METRICS: [] },
  capabilities: ["PROFILE"],
  allApplications: false,
  applicationIds: ["c1", "c2"],
  updatedAt: NOW,
};

describe("creating a registration", () => {
  const create = (changed: Partial<RegistrationInput> = {}, clientIds: readonly string[] = ["c1", "c2"]) =>
    decideCreateRegistration(
      { ...facts, knownClients: known(clientIds), provider: "PROVIDER_B" },
      { ...input, ...changed },
      "r1",
      NOW,
    );

  test("stores a draft without absent addresses and its secret", () => {
    expect(create()).toEqual({
      patch: { ...columns, id: "r1", provider: "PROVIDER_B", status: "DRAFT", createdAt: NOW },
      followUps: [],
      audit: {
        action: "Registration created",
        summary: "Created the registration at PROVIDER_B · TikTok Display API v2 (client id client…).",
        target: { type: "REGISTRATION", id: "r1" },
        changes: expect.arrayContaining([
          { field: "clientId", before: null, after: "client-123" },
          { field: "scopes.PROFILE", before: null, after: ["read"] },
          { field: "clients", before: null, after: ["shop-c1", "shop-c2"] },
          { field: "clientSecret", before: null, after: "set" },
        ]),
      },
    });
    expect(create({ clientIds: null }, [])).toMatchObject({ patch: { allApplications: true, applicationIds: [] } });
  });

  test("reports an address, a missing secret and an unknown client, in this order", () => {
    expect(create({ addresses: { token: null }, clientSecret: null }, [])).toMatchObject({
      field: "addresses.authorization",
    });
    expect(create({ clientSecret: null }, [])).toMatchObject({ code: "BAD_USER_INPUT", field: "clientSecret" });
    expect(create({}, ["c1"])).toMatchObject({ code: "BAD_USER_INPUT", field: "clientIds" });
  });

  test("allows plain http on loopback in sandbox mode only", () => {
    const local = { ...input, addresses: { ...input.addresses, api: "http://127.0.0.1:4000/api" } };
    const field = (mode: "sandbox" | "live") => {
      const decision = decideCreateRegistration({ ...facts, mode, provider: "PROVIDER_B" }, local, "r1", NOW);
      return "code" in decision ? decision.field : "created";
    };
    expect([field("sandbox"), field("live")]).toEqual(["created", "addresses.api"]);
  });
});

describe("updating a registration", () => {
  const update = (
    changed: Partial<RegistrationInput> = {},
    stored: Partial<EditedRegistration> | null = {},
    clientIds: readonly string[] = ["c1", "c2"],
  ) =>
    decideUpdateRegistration(
      { ...facts, knownClients: known(clientIds), registration: stored && { ...registration, ...stored } },
      { ...input, ...changed },
      NOW,
    );
  const token = { ...input.addresses, token: "https://b.example/token" };

  test("audits the replaced secret and both origins of every address that moved", () => {
    expect(update({ addresses: { ...token, api: "https://b.example/v1" } })).toMatchObject({
      patch: { ...columns, addresses: { token: "https://b.example/token", api: "https://b.example/v1" } },
      audit: {
        action: "Registration changed",
        summary:
          "Changed the registration at PROVIDER_B · TikTok Display API v2 (client id client…); replaced its secret; token moved from https://api.example to https://b.example; api moved from https://api.example to https://b.example.",
        changes: [
          { field: "addresses.token", before: "https://api.example/token", after: "https://b.example/token" },
          { field: "addresses.api", before: "https://api.example/v1", after: "https://b.example/v1" },
          { field: "scopes.CONTENT_LIST", before: ["list"], after: null },
          { field: "clients", before: ["all"], after: ["shop-c1", "shop-c2"] },
          { field: "clientSecret", before: "set", after: "changed" },
        ],
      },
    });
    expect(update({ clientSecret: null })).toMatchObject({
      audit: { summary: "Changed the registration at PROVIDER_B · TikTok Display API v2 (client id client…)." },
    });
  });

  test.each(REGISTRATION_STATUSES)("is possible unless the registration is published: %s", (status) => {
    expect("code" in update({}, { status })).toBe(status === "PUBLISHED");
  });

  test("reports in this order: unknown, published, an address, the secret, an unknown client", () => {
    const wrong = { addresses: { ...token, api: null }, clientSecret: null };
    expect(update(wrong, null, [])).toMatchObject({ code: "NOT_FOUND" });
    expect(update(wrong, { status: "PUBLISHED" }, [])).toMatchObject({ code: "CONFLICT" });
    expect(update(wrong, {}, [])).toMatchObject({ field: "addresses.api" });
    expect(update({ addresses: token, clientSecret: null }, {}, [])).toMatchObject({ field: "clientSecret" });
    expect(update({ addresses: token }, {}, [])).toMatchObject({ field: "clientIds" });
  });
});

describe("the status of a registration", () => {
  test.each([
    ["PAUSE", "PUBLISHED", "PAUSED", "Paused"],
    ["DISABLE", "DRAFT", "DISABLED", "Disabled"],
    ["DISABLE", "PAUSED", "DISABLED", "Disabled"],
  ] as const)("%s of a %s registration: %s", (event, from, to, verb) => {
    expect(decideStopRegistration({ ...registration, status: from }, event, NOW)).toMatchObject({
      patch: { status: to, updatedAt: NOW },
      audit: { summary: `${verb} the registration at PROVIDER_B · TikTok Display API v2 (client id client…).` },
    });
  });

  test("is refused for a move that the table does not have, and for an unknown registration", () => {
    expect(decideStopRegistration(registration, "PAUSE", NOW)).toEqual({
      code: "CONFLICT",
      message: "The registration is DRAFT. Reload it and check which changes its status allows.",
    });
    expect(decideStopRegistration(null, "PAUSE", NOW)).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("publishing a registration", () => {
  const probe = { updatedAt: EARLIER, problems: [] };
  const publish = (
    changed: Partial<EditedRegistration> | null,
    problems: { address: string; problem: string }[] = [],
  ) =>
    decidePublishRegistration(
      { registration: changed && { ...registration, ...changed }, probe: { ...probe, problems } },
      NOW,
    );

  test("publishes what was probed", () => {
    expect(publish({})).toMatchObject({
      patch: { status: "PUBLISHED", updatedAt: NOW },
      audit: { action: "Registration published" },
    });
  });

  test("reports the probe's problems, then an unknown, a changed and an unpublishable registration", () => {
    const problems = [{ address: "token", problem: "No response." }];
    expect(publish(null, problems)).toMatchObject({ code: "CONFLICT", problems });
    expect(publish(null)).toMatchObject({ code: "NOT_FOUND" });
    expect(publish({ updatedAt: NOW, status: "PUBLISHED" })).toMatchObject({ code: "CONFLICT", reason: "ROW_BUSY" });
    const published = publish({ status: "PUBLISHED" });
    expect(published).toMatchObject({ code: "CONFLICT" });
    expect(published).not.toHaveProperty("reason");
  });

  test("is worth a probe when the status and every address allow it", () => {
    const api = { ...input.addresses, api: "http://127.0.0.1:4000/api" };
    expect(checkPublishable(registration, "live")).toBeNull();
    expect(checkPublishable({ ...registration, addresses: api }, "sandbox")).toBeNull();
    expect(checkPublishable({ ...registration, addresses: api }, "live")).toMatchObject({ field: "addresses.api" });
    expect(checkPublishable({ ...registration, addresses: api, status: "PUBLISHED" }, "live")?.code).toBe("CONFLICT");
    expect(checkPublishable(null, "live")).toMatchObject({ code: "NOT_FOUND" });
  });
});
