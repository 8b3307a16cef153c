import {
  ADMIN_KEY_SCOPES,
  CAPABILITIES,
  JOB_STATUSES,
  REGISTRATION_STATUSES,
  SOCIAL_PROVIDERS,
} from "@social-connect/contract";
import { expect, test } from "vitest";
import { decideApiKeyUse, decideMintApiKey, decideRevokeApiKey } from "./api-keys/apiKeys.ts";
import type { AuditRecord } from "./audit/auditRecord.ts";
import { NO_BRANDING } from "./clients/branding.ts";
import { decideClientChange } from "./clients/changes.ts";
import type { Client } from "./clients/client.ts";
import { decideAddTester, decideRemoveTester, decideSetTesterNote } from "./clients/testers.ts";
import { JOB_KINDS } from "./jobs/job.ts";
import { decideCancelJob, decideRetryNow } from "./jobs/operatorChanges.ts";
import { decideStopRegistration } from "./registrations/changes.ts";
import { decideSetQuota, QUOTA_SCOPES, QUOTA_WINDOWS } from "./registrations/registrationQuota.ts";
import {
  connectionDisconnected,
  connectionsSearched,
  connectionViewed,
  decideRescan,
} from "./support/supportChanges.ts";
import { NOW } from "./testing/time.ts";

const client: Client = {
  id: "c1",
  slug: "shop",
  displayName: "Shop",
  enabled: true,
  webOrigins: ["https://shop.example"],
  returnUrls: ["https://shop.example/back"],
  identityReturnUrls: [],
  providers: [],
  capabilities: [],
  tenantKeys: [],
  previewOriginsEnabled: false,
  previewReturnPaths: [],
  idpIdentityEnabled: false,
  ...NO_BRANDING,
  createdAt: NOW,
  updatedAt: NOW,
};

const SEARCHES = ["connections", "attempts", "reference"] as const;

/** Audit entries of decisions whose input or facts have each value of an enumeration. */
function records(): AuditRecord[] {
  const keys = ADMIN_KEY_SCOPES.flatMap((scope) => {
    const stored = { id: "k1", scope, label: "deploy", createdBy: "ada@shop.example", revokedAt: null };
    const facts = { admin: { id: "a1", email: "ada@shop.example" }, keys: [], mode: "live" } as const;
    return [
      decideMintApiKey(facts, { label: "deploy", scope, lifetimeDays: 1 }, "k1", NOW),
      decideRevokeApiKey(stored, NOW),
      decideApiKeyUse({ ...stored, firstUsedAt: null, lastUsedAt: null }, NOW),
    ];
  });
  const clientFacts = {
    client,
    openAttempts: { connect: [], identity: [] },
    mode: "live",
    previewTemplate: null,
  } as const;
  const policy = { providers: SOCIAL_PROVIDERS, capabilities: CAPABILITIES };
  const jobs = JOB_KINDS.flatMap((kind) =>
    JOB_STATUSES.flatMap((status) => {
      const job = { id: "j1", kind, status, nextRetryAt: null };
      return [decideRetryNow(job, NOW), decideCancelJob(job, NOW)];
    }),
  );
  const ofProviders = SOCIAL_PROVIDERS.flatMap((provider) => {
    const registration = { id: "r1", provider, clientId: "known", addresses: {}, updatedAt: NOW } as const;
    const quotas = QUOTA_WINDOWS.flatMap((window) =>
      QUOTA_SCOPES.map((per) => ({ units: 5, window, per, reserve: 0.1 })),
    );
    const account = { provider, providerAccountId: "1" };
    const connection = { id: "n1", provider, clientSlug: "shop" };
    const served = {
      ...connection,
      status: "CONNECTED",
      capabilities: CAPABILITIES,
      offeredCapabilities: CAPABILITIES,
    } as const;
    return [
      ...REGISTRATION_STATUSES.map((status) => decideStopRegistration({ ...registration, status }, "DISABLE", NOW)),
      ...quotas.map((quota) => decideSetQuota({ ...registration, status: "DRAFT", quota: null }, quota)),
      decideAddTester({ client, testers: [] }, account),
      decideRemoveTester({ client, testers: [account] }, account),
      decideSetTesterNote({ client, testers: [account] }, { ...account, note: "a note" }),
      { audit: connectionViewed(connection, "ticket 1") },
      ...SEARCHES.map((search) => ({ audit: connectionsSearched(client, search) })),
      { audit: connectionDisconnected(connection, "ticket 1", []) },
      decideRescan(served, { recheckCode: null, inFlight: [], reason: "ticket 1" }, NOW),
    ];
  });
  const decisions = [...keys, decideClientChange("setClientPolicy", clientFacts, policy, NOW), ...jobs, ...ofProviders];
  return decisions.flatMap((decision) => (decision !== null && "audit" in decision ? (decision.audit ?? []) : []));
}

test("summaries contain no value of the API except providers, which have their public API beside it", () => {
  const values = [
    ...ADMIN_KEY_SCOPES,
    ...CAPABILITIES,
    ...JOB_KINDS,
    ...JOB_STATUSES,
    ...QUOTA_SCOPES,
    ...QUOTA_WINDOWS,
    ...REGISTRATION_STATUSES,
  ];
  const raw = new RegExp(`\\b(?:${values.join("|")})\\b|PROVIDER_[A-Z](?! · )`);
  const summaries = records().map(({ summary }) => summary);
  // Each decision above has an entry for at least one of its values.
  expect(summaries.length).toBeGreaterThan(60);
  expect(summaries.filter((summary) => raw.test(summary))).toEqual([]);
});
