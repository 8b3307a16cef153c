import { CONNECT_SESSION_STATUSES, CONNECTION_STATUSES, JOB_STATUSES } from "@social-connect/contract";
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
import { ApiKey } from "./apiKeys.ts";
import { builder } from "./builder.ts";
import { ClientCredential } from "./credentials.ts";
import { SocialProvider } from "./enums.ts";

const JobKind = builder.enumType("JobKind", { values: Object.values(JobKindValues) });
const JobStatus = builder.enumType("JobStatus", { values: JOB_STATUSES });
const ConnectionStatus = builder.enumType("ConnectionStatus", { values: CONNECTION_STATUSES });
const ConnectSessionStatus = builder.enumType("ConnectSessionStatus", { values: CONNECT_SESSION_STATUSES });

const JobCount = builder.objectRef<JobCountShape>("JobCount").implement({
  fields: (t) => ({
    provider: t.expose("provider", { type: SocialProvider }),
    kind: t.expose("kind", { type: JobKind }),
    status: t.expose("status", { type: JobStatus }),
    errorCode: t.exposeString("errorCode", { nullable: true }),
    count: t.exposeInt("count"),
    waitingToRetry: t.exposeInt("waitingToRetry", {
      description: "How many of them did not work so far and wait for another try.",
    }),
  }),
});

const ConnectionCount = builder.objectRef<ConnectionCountShape>("ConnectionCount").implement({
  fields: (t) => ({
    provider: t.expose("provider", { type: SocialProvider }),
    status: t.expose("status", { type: ConnectionStatus }),
    count: t.exposeInt("count"),
  }),
});

const ConnectAttemptCount = builder.objectRef<ConnectAttemptCountShape>("ConnectAttemptCount").implement({
  fields: (t) => ({
    provider: t.expose("provider", { type: SocialProvider }),
    status: t.expose("status", { type: ConnectSessionStatus }),
    resultCode: t.exposeString("resultCode", { nullable: true }),
    count: t.exposeInt("count"),
  }),
});

const FullQuota = builder.objectRef<FullQuotaShape>("FullQuota").implement({
  description: "A day's calls at a provider of which only those are left that callers ask for, or none.",
  fields: (t) => ({
    registrationId: t.exposeID("registrationId"),
    provider: t.expose("provider", { type: SocialProvider }),
    isPerAccount: t.exposeBoolean("isPerAccount", { description: "Each account has a budget of its own." }),
    count: t.exposeInt("count", { description: "How many budgets are as full." }),
    used: t.exposeInt("used", { description: "Calls of the one that is used the most." }),
    units: t.exposeInt("units", { description: "Calls that a budget has." }),
    endsAt: t.expose("endsAt", { type: "DateTime", description: "When the count begins anew." }),
  }),
});

const ExpiringCredential = builder.objectRef<ExpiringCredentialShape>("ExpiringCredential").implement({
  fields: (t) => ({
    clientId: t.id({ resolve: ({ application }) => application.id }),
    clientSlug: t.string({ resolve: ({ application }) => application.slug }),
    credential: t.field({ type: ClientCredential, resolve: (key) => key }),
  }),
});

/** Each part is counted only when it is asked for, so that a page waits for what it shows. */
const ServiceOverview = builder.objectRef<object>("ServiceOverview").implement({
  description: "What may need an admin's attention. Counts and keys, never anybody's data.",
  fields: (t) => ({
    expiringApiKeys: t.field({
      type: [ApiKey],
      description: "Admin keys that end within 14 days.",
      resolve: (_overview, _args, { service }) => listExpiringApiKeys(service),
    }),
    expiringCredentials: t.field({
      type: [ExpiringCredential],
      description: "Application keys that end within 14 days.",
      resolve: (_overview, _args, { service }) => listExpiringCredentials(service),
    }),
    jobs: t.field({
      type: [JobCount],
      description: "Jobs created in the last 24 hours.",
      resolve: (_overview, _args, { service }) => countJobs(service),
    }),
    overdueJobs: t.int({
      description: "Jobs that no worker has taken for five minutes after they were due.",
      resolve: (_overview, _args, { service }) => countOverdueJobs(service),
    }),
    fullQuotas: t.field({
      type: [FullQuota],
      description: "Where the service's own re-reads wait for the next day, because the calls are used.",
      resolve: (_overview, _args, { service }) => listFullQuotas(service),
    }),
    connections: t.field({
      type: [ConnectionCount],
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
