import type { AdminOperationName, ConsumerOperationName } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { checkInput, inputSchema } from "./inputSchema.ts";

const scope = { tenantKey: "tenant", externalSubjectId: "subject" };
const [publishedAfter, publishedBefore] = [new Date("2026-02-01T00:00:00.000Z"), new Date("2026-02-02T00:00:00.000Z")];
const window = { publishedAfter, publishedBefore };
const reversed = { publishedAfter: publishedBefore, publishedBefore: publishedAfter };
const reason = "Ticket 4711";
const account = { provider: "PROVIDER_A", providerAccountId: "account-1" };
const client = {
  slug: "shop",
  displayName: "Shop",
  providers: ["PROVIDER_A"],
  capabilities: ["PROFILE"],
  confirmedNoOnwardRedirect: true,
};
const https = "https://provider.example";
const registration = {
  clientId: "client",
  addresses: { authorization: https, token: https, api: "http://127.0.0.1:4000", revocation: null },
  scopes: [{ capability: "PROFILE", scopes: ["read"] }],
  capabilities: ["PROFILE"],
};

describe("valid arguments", () => {
  test.each<[ConsumerOperationName | AdminOperationName, object]>([
    ["connections", { scope }],
    ["content", { scope, window: { ...window, first: 50 } }],
    ["contentItem", { scope, providerContentId: "post" }],
    ["createConnectSession", { input: { scope, capabilities: ["PROFILE"] } }],
    ["requestRefresh", { scope, window: null, providerContentId: null, continuationCursor: null }],
    ["requestContentLookup", { scope, url: "https://provider.example/post" }],
    ["adminClients", { first: null }],
    ["apiKeys", { first: 100 }],
    ["searchClients", { text: "" }],
    ["searchAuditEntries", { action: null, actor: "x".repeat(256) }],
    ["createClient", { input: client }],
    ["setClientBranding", { brandColor: null }],
    ["addClientOrigin", { origin: "http://localhost:3000" }],
    ["setClientIdpIdentity", { returnUrls: null }],
    ["mintApiKey", { label: "x".repeat(80) }],
    ["issueClientCredential", { expiresInDays: 3_650 }],
    ["issueClientCredential", {}],
    ["createRegistration", { input: registration }],
    ["setRegistrationQuota", { quota: null }],
    ["viewConnection", { reason }],
    ["adminMembers", {}],
  ])("%s %j", (operation, args) => {
    expect(checkInput(operation, args)).toBeNull();
    expect(inputSchema(operation)["~standard"].validate(args)).toEqual({ value: args });
  });
});

describe("an invalid argument of the consumer API is BAD_USER_INPUT", () => {
  test.each<[ConsumerOperationName, object, string]>([
    ["connection", { scope: { ...scope, externalSubjectId: "" } }, "externalSubjectId"],
    ["syncJob", { scope: { ...scope, tenantKey: "x".repeat(129) } }, "tenantKey"],
    ["connectSessionResult", { scope: { ...scope, externalSubjectId: "x".repeat(129) } }, "externalSubjectId"],
    ["disconnectConnection", { scope: { ...scope, tenantKey: "" } }, "tenantKey"],
    ["connections", { scope, first: 0 }, "first"],
    ["content", { scope, window: { ...window, first: 201 } }, "first"],
    ["content", { scope, window: { ...reversed, first: 1 } }, "publishedAfter"],
    ["contentItem", { scope, providerContentId: "a\0b" }, "must not contain NUL"],
    ["createConnectSession", { input: { scope, capabilities: [] } }, "at least one capability"],
    ["createConnectSession", { input: { scope, capabilities: ["PROFILE", "PROFILE"] } }, "duplicates"],
    ["requestRefresh", { scope, window: reversed }, "publishedAfter"],
    ["requestRefresh", { scope, providerContentId: "a\0b" }, "must not contain NUL"],
    ["requestRefresh", { scope, providerContentId: "post", continuationCursor: "cursor" }, "continuationCursor"],
    ["requestContentLookup", { scope, url: "http://provider.example/post" }, "https URL"],
    ["requestContentLookup", { scope, url: `${https}/${"x".repeat(2_048)}` }, "2048 characters"],
    ["createIdpIdentitySession", { input: { tenantKey: "" } }, "tenantKey"],
    ["redeemIdpIdentityResult", { tenantKey: "" }, "tenantKey"],
  ])("%s %j", (operation, args, text) => {
    const refusal = checkInput(operation, args);
    expect(refusal).toMatchObject({ code: "BAD_USER_INPUT", message: expect.stringContaining(text) });
    expect(inputSchema(operation)["~standard"].validate(args)).toEqual({ issues: [{ message: refusal?.message }] });
  });
});

describe("an invalid argument of the admin API is BAD_USER_INPUT, with its path", () => {
  test.each<[AdminOperationName, object, string]>([
    ["adminClients", { first: 0 }, "first"],
    ["adminAuditEntries", { first: 101 }, "first"],
    ["searchClients", { text: "x".repeat(257) }, "text"],
    ["searchConnections", { tenantKey: "a\0b", first: 0 }, "tenantKey"],
    ["searchConnectAttempts", { externalSubjectId: "x".repeat(257) }, "externalSubjectId"],
    ["suggestUsers", { startsWith: "" }, "startsWith"],
    ["suggestUsers", { tenantKey: "a\0b", startsWith: "" }, "tenantKey"],
    ["findPeople", { startsWith: "x".repeat(257) }, "startsWith"],
    ["findPeople", { startsWith: "" }, "startsWith"],
    ["searchAuditEntries", { targetId: "x".repeat(257) }, "targetId"],
    [
      "createClient",
      { input: { ...client, confirmedNoOnwardRedirect: false, slug: "-" } },
      "confirmedNoOnwardRedirect",
    ],
    ["createClient", { input: { ...client, slug: "-", displayName: "" } }, "slug"],
    ["createClient", { input: { ...client, displayName: "", providers: ["PROVIDER_A", "PROVIDER_A"] } }, "displayName"],
    ["createClient", { input: { ...client, providers: ["PROVIDER_A", "PROVIDER_A"] } }, "providers"],
    ["setClientDisplayName", { displayName: " " }, "displayName"],
    ["setClientBranding", { brandColor: "green" }, "brandColor"],
    ["setClientPolicy", { providers: ["PROVIDER_A", "PROVIDER_A"], capabilities: [] }, "providers"],
    ["setClientPolicy", { providers: [], capabilities: ["PROFILE", "PROFILE"] }, "capabilities"],
    ["addClientTenantKey", { tenantKey: "x".repeat(129) }, "tenantKey"],
    ["addClientOrigin", { origin: "http://shop.example" }, "origin"],
    ["addClientReturnUrl", { url: "#", confirmedNoOnwardRedirect: false }, "confirmedNoOnwardRedirect"],
    ["addClientReturnUrl", { url: `${https}/#`, confirmedNoOnwardRedirect: true }, "url"],
    ["addClientPreviewReturnPath", { path: "//other.example" }, "path"],
    ["setClientIdpIdentity", { enabled: true, returnUrls: [`${https}/back`, `${https}/#`] }, "returnUrls"],
    ["mintApiKey", { label: "" }, "label"],
    ["mintApiKey", { label: "  " }, "label"],
    ["mintApiKey", { label: "x".repeat(81) }, "label"],
    ["mintApiKey", { label: "a\0b" }, "label"],
    ["addAdminMember", { email: "nobody" }, "email"],
    ["issueClientCredential", { expiresInDays: 0 }, "expiresInDays"],
    ["issueClientCredential", { expiresInDays: -1 }, "expiresInDays"],
    ["issueClientCredential", { expiresInDays: 1.5 }, "expiresInDays"],
    ["issueClientCredential", { expiresInDays: 3_651 }, "expiresInDays"],
    ["issueClientCredential", { expiresInDays: Number.NaN }, "expiresInDays"],
    ["addClientTester", { ...account, providerAccountId: "" }, "providerAccountId"],
    ["addClientTester", { ...account, note: "x".repeat(201) }, "note"],
    ["setClientTesterNote", { ...account, note: "two\nlines" }, "note"],
    ["removeClientTester", { ...account, providerAccountId: "x".repeat(257) }, "providerAccountId"],
    ["addClientTester", { ...account, providerAccountId: "a\0b" }, "providerAccountId"],
    ["createRegistration", { input: { ...registration, clientId: "" } }, "clientId"],
    ["updateRegistration", { input: { ...registration, addresses: { token: https } } }, "addresses.authorization"],
    ["setRegistrationQuota", { quota: { units: 0 } }, "units"],
    ["setRegistrationQuota", { quota: { reserve: 0.91 } }, "reserve"],
    ["viewConnection", { reason: "" }, "reason"],
    ["rescanConnection", { reason: "x".repeat(201) }, "reason"],
    ["retryJob", { reason: "a\0b" }, "reason"],
    ["disconnectForUser", { reason: " " }, "reason"],
  ])("%s %j", (operation, args, field) => {
    const refusal = checkInput(operation, args);
    expect(refusal).toMatchObject({ code: "BAD_USER_INPUT", field });
    expect(inputSchema(operation)["~standard"].validate(args)).toEqual({
      issues: [{ message: refusal?.message, path: field.split(".") }],
    });
  });
});
