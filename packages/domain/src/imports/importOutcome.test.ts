import { expect, test } from "vitest";
import { linkAccountRefusal } from "../connect/link.ts";
import { APPLICATION } from "../testing/application.ts";
import { HOUR, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import {
  connectionImported,
  connectionsImported,
  decideImport,
  IMPORT_CODE_OF_FAULT,
  IMPORT_CODES,
  type ImportFacts,
  type ImportRequest,
  importedCapabilities,
} from "./importOutcome.ts";

const request: ImportRequest = {
  applicationId: "application-1",
  tenantKey: "tenant",
  externalSubjectId: "subject",
  provider: "PROVIDER_A",
  registrationId: "registration-1",
  capabilities: ["PROFILE", "CONTENT_LIST"],
  accountId: "account-1",
};
const account = {
  ...{ providerAccountId: "account-1", providerUserKey: null, displayName: "Ada", handle: null },
  ...{ avatarUrl: null, profileUrl: null, description: null },
};
const facts: ImportFacts = {
  application: APPLICATION,
  registration: { id: "registration-1", capabilities: ["PROFILE", "CONTENT_LIST"] },
  isRevokeSettling: false,
  isAccountRevoked: false,
  mayConnect: true,
  granted: ["PROFILE", "CONTENT_LIST"],
  account,
  existing: null,
  connectionId: "connection-1",
};
const decide = (over: Partial<ImportFacts> = {}, of: Partial<ImportRequest> = {}) =>
  decideImport({ ...request, ...of }, { ...facts, ...over }, () => 0.5, NOW);
const changesOf = (over: Partial<ImportFacts>) => {
  const decision = decide(over);
  return typeof decision === "string" ? [] : decision.followUps.map(({ type }) => type);
};

test("connects an account at the time of the import, and spreads its first reads", () => {
  expect(decide()).toEqual({
    followUps: [
      { type: "CREATE_CONNECTION", connection: expect.objectContaining({ createdAt: NOW, status: "CONNECTED" }) },
      { type: "ATTACH_GRANT", patch: expect.objectContaining({ connectionId: "connection-1", status: "ACTIVE" }) },
    ],
    dates: { nextScanAt: addMs(NOW, 10 * HOUR), nextProfileAt: addMs(NOW, 21.5 * HOUR) },
  });
  expect(decide({}, { accountId: null })).toEqual(decide());
});

test("reads nothing that was not granted", () => {
  expect(decide({ granted: ["PROFILE"] })).toMatchObject({ dates: { nextScanAt: null } });
});

test("a connection that works keeps its grant; one that does not gets the imported one", () => {
  const connected = { existing: { status: "CONNECTED", hasGrant: true } } as const;
  expect(decide(connected)).toBe("ALREADY_CONNECTED");
  expect(decide({ ...connected, application: null })).toBe("ALREADY_CONNECTED");
  for (const status of ["RECONNECT_REQUIRED", "SUSPENDED"] as const)
    expect(changesOf({ existing: { status, hasGrant: true } })).toEqual([
      ...["UPDATE_CONNECTION", "DELETE_METRICS", "REPLACE_GRANT"],
    ]);
  expect(changesOf({ existing: { status: "CONNECTED", hasGrant: false } })).toContain("ATTACH_GRANT");
});

test.each<[string, Partial<ImportFacts>]>([
  ["FORBIDDEN", { application: null }],
  ["FORBIDDEN", { application: { ...APPLICATION, enabled: false } }],
  ["FORBIDDEN", { application: { ...APPLICATION, tenantKeys: [] } }],
  ["FORBIDDEN", { application: { ...APPLICATION, providers: [] } }],
  ["FORBIDDEN", { application: { ...APPLICATION, capabilities: [] } }],
  ["PROVIDER_NOT_AVAILABLE", { registration: null }],
  ["PROVIDER_NOT_AVAILABLE", { registration: { id: "other", capabilities: ["PROFILE", "CONTENT_LIST"] } }],
  ["DISCONNECT_IN_PROGRESS", { isRevokeSettling: true }],
  ["DISCONNECT_IN_PROGRESS", { isAccountRevoked: true }],
  ["NO_CAPABILITY_GRANTED", { granted: [] }],
  ["NOT_A_TESTER", { mayConnect: false }],
  ["ACCOUNT_MISMATCH", { account: { ...account, providerAccountId: "other" } }],
])("refuses with %s, as a connect attempt is refused", (code, over) => {
  expect(decide(over)).toBe(code);
});

test("refuses what is known before the provider is asked", () => {
  const { account: _, existing: __, connectionId: ___, ...known } = facts;
  expect(linkAccountRefusal(request, known)).toBeNull();
  expect(linkAccountRefusal(request, { ...known, mayConnect: false })).toBe("NOT_A_TESTER");
  const nothing = { ...request, capabilities: [] };
  expect(linkAccountRefusal(nothing, { ...known, granted: [] })).toBe("NO_CAPABILITY_GRANTED");
});

test("asks for the capabilities of the line's scopes, as far as registration and client have them", () => {
  const registration = { capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"] } as const;
  const client = { capabilities: ["CONTENT_METRICS", "PROFILE", "CONTENT_LOOKUP"] } as const;
  expect(importedCapabilities(null, registration, client)).toEqual(["PROFILE", "CONTENT_METRICS"]);
  expect(importedCapabilities(["CONTENT_METRICS", "CONTENT_LIST"], registration, client)).toEqual(["CONTENT_METRICS"]);
  expect(importedCapabilities([], registration, client)).toEqual([]);
});

test("only what may pass is for later", () => {
  const later = Object.entries(IMPORT_CODE_OF_FAULT).filter(([, code]) => IMPORT_CODES[code] === "LATER");
  expect(later.map(([kind]) => kind)).toEqual(["rate_limited", "unavailable", "application_refused", "internal"]);
  expect(Object.values(IMPORT_CODES)).not.toContain("CONNECTED");
});

test("the audit log says what was imported, without names of the contract", () => {
  const imported = connectionImported({ id: "connection-1", provider: "PROVIDER_A", clientSlug: "shop" }, NOW, null);
  expect(imported).toMatchObject({ action: "Connection imported", clientSlug: "shop" });
  expect(imported.summary).toContain(NOW.toISOString());
  const counts = { CONNECTED: 3, ALREADY_CONNECTED: 2, REFUSED: 1, INVALID: 4, LATER: 0 };
  expect(connectionsImported({ id: "1", slug: "shop" }, counts).summary).toBe(
    "Ran an import: 3 connected, 2 already connected, 1 refused, 4 invalid, 0 for later.",
  );
});
