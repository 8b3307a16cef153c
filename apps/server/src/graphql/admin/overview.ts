import type { WaitReason as WaitReasonName } from "@social-connect/domain";
import { JobKind as JobKindValues } from "../../_generated/prisma/enums.ts";
import type {
  ConnectAttemptCount as ConnectAttemptCountShape,
  ConnectionCount as ConnectionCountShape,
  ExpiringCredential as ExpiringCredentialShape,
  FullQuota as FullQuotaShape,
  JobCount as JobCountShape,
} from "../../modules/overview/readOverview.ts";
import {
  countConnectAttempts,
  countConnections,
  countJobs,
  countOverdueJobs,
  listExpiringApiKeys,
  listExpiringCredentials,
  listFullQuotas,
} from "../../modules/overview/readOverview.ts";
import { CONNECT_SESSION_STATUS, CONNECTION_STATUS, JOB_STATUS } from "../shared/enumDescriptions.ts";
import { orNull } from "../shared/fieldOptions.ts";
import { ApiKey } from "./apiKeys.ts";
import { builder } from "./builder.ts";
import { ClientCredential } from "./credentials.ts";
import { SocialProvider } from "./enums.ts";

export const JobKind = builder.enumType("JobKind", {
  description: "What a job does.",
  values: Object.values(JobKindValues),
});
export const WaitReason = builder.enumType("WaitReason", {
  description: "What a job waits for.",
  values: {
    RATE_LIMITED: { description: "The end of a limit of the provider." },
    QUOTA: { description: "Our call budget for the provider, or its application's share of the budget." },
    PROVIDER_UNAVAILABLE: { description: "A response of the provider." },
    PAUSED: { description: "The registration is paused, or the connection is suspended until a revoke settles." },
    BEHIND_OTHER_WORK: { description: "A free worker, or another job that has to end first." },
  } satisfies Record<WaitReasonName, object>,
});
export const JobStatus = builder.enumType("JobStatus", JOB_STATUS);
export const ConnectionStatus = builder.enumType("ConnectionStatus", CONNECTION_STATUS);
export const ConnectSessionStatus = builder.enumType("ConnectSessionStatus", CONNECT_SESSION_STATUS);

const JobCount = builder.objectRef<JobCountShape>("JobCount").implement({
  description: "How many jobs have the same provider, kind, status and error.",
  fields: (t) => ({
    provider: t.expose("provider", { type: SocialProvider }),
    kind: t.expose("kind", { type: JobKind }),
    status: t.expose("status", { type: JobStatus }),
    errorCode: t.exposeString("errorCode", orNull("Why they failed; null unless FAILED.")),
    waitReason: t.expose("waitReason", {
      type: WaitReason,
      nullable: true,
      description: "What QUEUED jobs wait for, or what FAILED reads could have waited for.",
    }),
    count: t.exposeInt("count"),
    waitingToRetry: t.exposeInt("waitingToRetry", {
      description: "How many of them wait for a retry.",
    }),
  }),
});

const ConnectionCount = builder.objectRef<ConnectionCountShape>("ConnectionCount").implement({
  description: "How many connections have the same provider and status.",
  fields: (t) => ({
    provider: t.expose("provider", { type: SocialProvider }),
    status: t.expose("status", { type: ConnectionStatus }),
    count: t.exposeInt("count"),
  }),
});

const ConnectAttemptCount = builder.objectRef<ConnectAttemptCountShape>("ConnectAttemptCount").implement({
  description: "How many connect attempts have the same provider, status and result.",
  fields: (t) => ({
    provider: t.expose("provider", { type: SocialProvider }),
    status: t.expose("status", { type: ConnectSessionStatus }),
    resultCode: t.exposeString("resultCode", orNull("Why they ended without a connection.")),
    count: t.exposeInt("count"),
  }),
});

const FullQuota = builder.objectRef<FullQuotaShape>("FullQuota").implement({
  description: "A provider's daily quota that background reads have used up.",
  fields: (t) => ({
    registrationId: t.exposeID("registrationId", { description: "The registration whose calls the quota limits." }),
    provider: t.expose("provider", { type: SocialProvider }),
    isPerAccount: t.exposeBoolean("isPerAccount", { description: "Whether each account has its own quota." }),
    count: t.exposeInt("count", { description: "How many quotas are used up." }),
    used: t.exposeInt("used", { description: "Calls made against the most used quota." }),
    units: t.exposeInt("units", { description: "Calls in a quota." }),
    endsAt: t.expose("endsAt", { type: "DateTime", description: "When the quota resets." }),
  }),
});

const ExpiringCredential = builder.objectRef<ExpiringCredentialShape>("ExpiringCredential").implement({
  description: "An application key that expires soon, with its client.",
  fields: (t) => ({
    clientId: t.id({ resolve: ({ application }) => application.id }),
    clientSlug: t.string({ resolve: ({ application }) => application.slug }),
    credential: t.field({ type: ClientCredential, resolve: (key) => key }),
  }),
});

/** Each part is counted only when it is selected, so that a page waits only for what it shows. */
const ServiceOverview = builder.objectRef<object>("ServiceOverview").implement({
  description: "What may need an admin's attention: counts and keys, no personal data.",
  fields: (t) => ({
    expiringApiKeys: t.field({
      type: [ApiKey],
      description: "API keys that expire within 14 days.",
      resolve: (_overview, _args, { service }) => listExpiringApiKeys(service),
    }),
    expiringCredentials: t.field({
      type: [ExpiringCredential],
      description: "Application keys that expire within 14 days.",
      resolve: (_overview, _args, { service }) => listExpiringCredentials(service),
    }),
    jobs: t.field({
      type: [JobCount],
      description: "Jobs created in the last 24 hours.",
      resolve: (_overview, _args, { service }) => countJobs(service),
    }),
    overdueJobs: t.int({
      description: "Jobs that have been due for five minutes and that no worker has taken.",
      resolve: (_overview, _args, { service }) => countOverdueJobs(service),
    }),
    fullQuotas: t.field({
      type: [FullQuota],
      description: "Quotas that have no calls left for background reads today.",
      resolve: (_overview, _args, { service }) => listFullQuotas(service),
    }),
    connections: t.field({
      type: [ConnectionCount],
      description: "All connections.",
      resolve: (_overview, _args, { service }) => countConnections(service),
    }),
    connectAttempts: t.field({
      type: [ConnectAttemptCount],
      description: "Connect attempts of the last 24 hours.",
      resolve: (_overview, _args, { service }) => countConnectAttempts(service),
    }),
  }),
});

builder.queryField("serviceOverview", (t) =>
  t.field({
    type: ServiceOverview,
    description: "What may need an admin's attention.",
    resolve: () => ({}),
  }),
);
