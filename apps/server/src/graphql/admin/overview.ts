import type { ObjectRef } from "@pothos/core";
import {
  type ActivityRange as ActivityRangeName,
  clientIdHint,
  type IncidentCause as IncidentCauseName,
  type Incident as IncidentShape,
  ROLLUP_SERIES,
  type RollupSeries,
  toldMeanwhile,
  type WaitReason as WaitReasonName,
} from "@social-connect/domain";
import { JobKind as JobKindValues } from "../../_generated/prisma/enums.ts";
import { readClient } from "../../modules/applications/client.ts";
import {
  type ConnectAttemptCount as ConnectAttemptCountShape,
  type ConnectionCount as ConnectionCountShape,
  countConnectAttempts,
  countConnections,
  countFailedScans,
  countForeseenReconnects,
  countJobs,
  countOverdueJobs,
  type FailedScanCount as FailedScanCountShape,
  type ForeseenReconnects as ForeseenReconnectsShape,
  type JobCount as JobCountShape,
} from "../../modules/overview/countRows.ts";
import {
  type FullQuota as FullQuotaShape,
  listExpiringApiKeys,
  listExpiringCredentials,
  listFullQuotas,
} from "../../modules/overview/readOverview.ts";
import { countAffected, type IncidentEffect as IncidentEffectShape } from "../../modules/rollups/countAffected.ts";
import {
  type ActivityCount as ActivityCountShape,
  type Activity as ActivityShape,
  readActivity,
} from "../../modules/rollups/readActivity.ts";
import { readIncidents } from "../../modules/rollups/readIncidents.ts";
import { type Looks, readLooks } from "../../modules/rollups/readLooks.ts";
import type { Service } from "../../modules/service.ts";
import { CONNECT_SESSION_STATUS, CONNECTION_STATUS, enumOf, JOB_STATUS } from "../shared/enumDescriptions.ts";
import { dateOrNull, orNull } from "../shared/fieldOptions.ts";
import { ApiKey } from "./apiKeys.ts";
import { builder, type Types } from "./builder.ts";
import { ClientCredential } from "./credentials.ts";
import { SocialProvider } from "./enums.ts";

export const JobKind = builder.enumType("JobKind", {
  description: "What a job does.",
  values: Object.values(JobKindValues),
});
export const WaitReason = builder.enumType(
  "WaitReason",
  enumOf<WaitReasonName>("What a job waits for.", {
    RATE_LIMITED: "The end of a limit of the provider.",
    QUOTA: "Our call budget for the provider, or its application's share of the budget.",
    PROVIDER_UNAVAILABLE: "A response of the provider.",
    PAUSED: "The registration is paused, or the connection is suspended until a revoke settles.",
    BEHIND_OTHER_WORK: "A free worker, or another job that has to end first.",
    SERVICE_FAULT: "A fault of this service, its settings or its machine is resolved.",
  }),
);
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
      ...orNull("What QUEUED jobs wait for, or what FAILED reads could have waited for."),
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

const FailedScanCount = builder.objectRef<FailedScanCountShape>("FailedScanCount").implement({
  description: "How many connections of a provider have a latest scan that failed with the same code.",
  fields: (t) => ({
    provider: t.expose("provider", { type: SocialProvider }),
    errorCode: t.exposeString("errorCode"),
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

const ExpiringCredential = builder.prismaObject("ApplicationKey", {
  variant: "ExpiringCredential",
  description: "An application key that expires soon, with its client.",
  fields: (t) => ({
    clientId: t.exposeID("applicationId"),
    clientSlug: t.string({
      select: { application: { select: { slug: true } } },
      resolve: ({ application }) => application.slug,
    }),
    credential: t.variant(ClientCredential),
  }),
});

const ForeseenReconnects = builder.objectRef<ForeseenReconnectsShape>("ForeseenReconnects").implement({
  description: "Connections of a provider that work, and whose refresh token ends within 7 days.",
  fields: (t) => ({
    provider: t.expose("provider", { type: SocialProvider }),
    count: t.exposeInt("count", { description: "How many of the first 1,000 at all providers." }),
    firstAt: t.expose("firstAt", { type: "DateTime", description: "When the first of them ends." }),
    hasMore: t.exposeBoolean("hasMore", { description: "Whether there may be more than the first 1,000." }),
  }),
});

const IncidentCause = builder.enumType(
  "IncidentCause",
  enumOf<IncidentCauseName>("What an incident is.", {
    PROVIDER_CALLS_FAIL: "Calls to a provider fail, or get no response.",
    CONNECT_ATTEMPTS_FAIL: "Connect attempts fail with a code that an admin or the provider can resolve.",
    JOBS_FAIL: "Jobs fail with a code that an admin or the provider can resolve.",
    JOBS_ERROR: "Attempts at jobs end with an unexpected error.",
    SERVICE_FAULT: "Jobs or calls to a provider fail because of the service, its settings or its machine.",
    RECONNECTS_REQUIRED: "More jobs than usual end because the consent of the account has ended.",
    API_CALLS_FAIL: "Calls of applications fail with UPSTREAM_UNAVAILABLE.",
    QUOTA_USED_UP: "Less than 5 % of a call budget is left.",
    JOBS_STUCK: "A due job waits for a worker for more than ten minutes.",
    SWEEP_LATE: "A sweep has not succeeded for three hours.",
    REGISTRATION_REFUSED:
      "A registration was changed outside of the service, or its client secret cannot be decrypted.",
    APPLICATION_REFUSED:
      "A provider refuses a registration's client, for every account: it is blocked, under review or wrong.",
    EVENT_ENDPOINT_FAILS:
      "The backend of a client does not accept its events, or the service has stopped sending them for that.",
  }),
);

const IncidentLooks = builder.enumType(
  "IncidentLooks",
  enumOf<Looks>("What the service does to see whether an incident is over.", {
    EVERY_MINUTE: "It reads a connection of the registration once a minute.",
    LIMITED: "Nothing until the quota's window or the provider's limit ends.",
    PAUSED: "Nothing: the registration is not published.",
    NONE_READABLE: "Nothing: none of the registration's connections can be read now.",
    NO_CONNECTION:
      "Nothing: the registration has no connection. An incident with a rate ends an hour after its latest failure.",
  }),
);

const IncidentEffect = builder.objectRef<IncidentEffectShape>("IncidentEffect").implement({
  description: "How many connections and clients an incident concerns.",
  fields: (t) => ({
    connections: t.exposeInt("connections", {
      nullable: true,
      description:
        "Those that the filtered list of connections shows; null for an incident of calls or connect attempts.",
    }),
    clients: t.exposeInt("clients"),
  }),
});

const Incident = builder.objectRef<IncidentShape>("Incident").implement({
  description: "A problem with one cause that someone can act on.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Unchanged while the incident continues." }),
    cause: t.expose("cause", { type: IncidentCause }),
    provider: t.expose("provider", { type: SocialProvider, ...orNull("The provider concerned.") }),
    detail: t.exposeString("detail", orNull("The code of the failures, the name of the sweep, or the budget.")),
    registrationId: t.exposeID("registrationId", orNull("The registration concerned.")),
    clientIdHint: t.string({
      ...orNull("The first characters of the registration's client id at the provider."),
      resolve: async ({ registrationId: id }, _args, { service }) => {
        if (id === null) return null;
        const registration = await service.prisma.providerRegistration.findUnique({
          where: { id },
          select: { clientId: true },
        });
        return registration && clientIdHint(registration.clientId);
      },
    }),
    begunAt: t.expose("begunAt", { type: "DateTime", description: "When the first failure was counted." }),
    lastSeenAt: t.expose("lastSeenAt", { type: "DateTime", description: "When the latest failure was counted." }),
    endedAt: t.expose("endedAt", dateOrNull("Null while it continues.")),
    failed: t.exposeInt("failed", orNull("Failures since it began; null without a rate.")),
    // textlint-disable plain-english -- published text
    total: t.exposeInt("total", orNull("Of how many, until the latest failure.")),
    // textlint-enable
    answer: t.string({
      ...orNull("The latest failure as the provider described it: the HTTP status, its code and its message."),
      resolve: ({ answer }) => answer ?? null,
    }),
    affected: t.field({
      type: IncidentEffect,
      nullable: true,
      description:
        "How many connections and clients it concerns now; null if none in particular, and when it has ended.",
      resolve: (incident, _args, { service }) => (incident.endedAt === null ? countAffected(service, incident) : null),
    }),
    looks: t.field({
      type: IncidentLooks,
      ...orNull(
        "What the service does meanwhile to see whether it is over; null if no read can end it, or it has ended.",
      ),
      resolve: (incident, _args, { service }) => readLooks(service, incident),
    }),
    userMessage: t.string({
      ...orNull("What users of applications are told while it continues, in English; null if they notice nothing."),
      resolve: toldMeanwhile,
    }),
  }),
});

const ActivityRange = builder.enumType(
  "ActivityRange",
  enumOf<ActivityRangeName>("The range of a chart, until now.", {
    HOUR: "One hour, in steps of a minute.",
    DAY: "24 hours, in steps of 15 minutes.",
    WEEK: "7 days, in steps of two hours.",
    MONTH: "30 days, in steps of six hours.",
  }),
);

const ActivitySeries = builder.enumType("ActivitySeries", {
  description: "What is counted.",
  values: {
    API_CALLS: { value: ROLLUP_SERIES.apiCalls, description: "Calls of applications, by code." },
    CLIENT_VERSIONS: {
      value: ROLLUP_SERIES.clientVersions,
      description: "Calls of applications, by library and version, counted by hour.",
    },
    CONNECT_ATTEMPTS: { value: ROLLUP_SERIES.connectAttempts, description: "Connect attempts that ended, by status." },
    JOB_ATTEMPTS: {
      value: ROLLUP_SERIES.jobAttempts,
      description: "Attempts at jobs, by the job's status after it, and its error or what it waits for.",
    },
    PROVIDER_CALLS: { value: ROLLUP_SERIES.providerCalls, description: "Calls to providers, by result." },
    QUOTA_USED: {
      value: ROLLUP_SERIES.quotaUsed,
      description: "Units used of a call budget, by registration and budget.",
    },
    QUOTA_UNITS: {
      value: ROLLUP_SERIES.quotaUnits,
      description: "Units of a call budget, by registration and budget.",
    },
    CONNECTIONS: { value: ROLLUP_SERIES.connections, description: "Connections by status, read once an hour." },
  } satisfies Record<string, { value: RollupSeries; description: string }>,
});

const ActivityCount = builder.objectRef<ActivityCountShape>("ActivityCount").implement({
  description: "How often something happened in a step of a chart.",
  fields: (t) => ({
    series: t.expose("series", { type: ActivitySeries }),
    at: t.expose("at", { type: "DateTime", description: "When the step begins." }),
    provider: t.expose("provider", { type: SocialProvider, ...orNull("Null for calls of applications.") }),
    label: t.exposeString(
      "label",
      orNull("The code, status, result or library, or the registration and budget of a quota."),
    ),
    count: t.exposeInt("count"),
  }),
});

const Activity = builder.objectRef<ActivityShape>("Activity").implement({
  description: "What the service counted in a range. A step without counts is absent. The last step is not complete.",
  fields: (t) => ({
    from: t.expose("from", { type: "DateTime", description: "When the first step begins." }),
    lastStepAt: t.expose("lastStepAt", { type: "DateTime", description: "When the last step begins." }),
    stepSeconds: t.exposeInt("stepSeconds", { description: "The length of a step." }),
    counts: t.expose("counts", { type: [ActivityCount] }),
  }),
});

/** Each part is counted only when it is selected, so that a page waits only for what it shows. */
const ServiceOverview = builder.objectRef<object>("ServiceOverview").implement({
  description: "What may need an admin's attention: counts and keys, no personal data.",
  fields: (t) => {
    const list = <Shape>(type: ObjectRef<Types, Shape>, what: string, read: (service: Service) => Promise<Shape[]>) =>
      t.field({ type: [type], description: what, resolve: (_overview, _args, { service }) => read(service) });
    return {
      expiringApiKeys: t.prismaField({
        type: [ApiKey],
        description: "API keys that expire within 14 days.",
        resolve: (query, _overview, _args, { service }) => listExpiringApiKeys(service, query),
      }),
      expiringCredentials: t.prismaField({
        type: [ExpiringCredential],
        description: "Application keys that expire within 14 days.",
        resolve: (query, _overview, _args, { service }) => listExpiringCredentials(service, query),
      }),
      foreseenReconnects: list(
        ForeseenReconnects,
        "Connections that will need a reconnect within 7 days.",
        countForeseenReconnects,
      ),
      jobs: list(JobCount, "Jobs created in the last 24 hours.", countJobs),
      overdueJobs: t.int({
        description: "Jobs that have been due for five minutes and that no worker has taken.",
        resolve: (_overview, _args, { service }) => countOverdueJobs(service),
      }),
      fullQuotas: list(FullQuota, "Quotas that have no calls left for background reads today.", listFullQuotas),
      incidents: list(Incident, "Incidents of the last 24 hours, continuing ones first.", readIncidents),
      connections: list(ConnectionCount, "All connections.", countConnections),
      failedScans: list(FailedScanCount, "Connections whose latest scan failed, by code.", countFailedScans),
      connectAttempts: list(ConnectAttemptCount, "Connect attempts of the last 24 hours.", countConnectAttempts),
    };
  },
});

builder.queryField("serviceOverview", (t) =>
  t.field({
    type: ServiceOverview,
    description: "What may need an admin's attention.",
    resolve: () => ({}),
  }),
);

builder.queryField("clientConnections", (t) =>
  t.field({
    type: [ConnectionCount],
    description: "The connections of a client, by provider and status.",
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, { service }) => countConnections(service, (await readClient(service, id)).id),
  }),
);

builder.queryField("serviceActivity", (t) =>
  t.field({
    type: Activity,
    description: "What the service counted in a range, for charts.",
    args: {
      range: t.arg({ type: ActivityRange, required: true }),
      clientId: t.arg.id({ required: false, description: "Only calls, attempts and jobs of this client." }),
      provider: t.arg({ type: SocialProvider, required: false, description: "Only what concerns this provider." }),
    },
    resolve: (_root, { range, clientId, provider }, { service }) =>
      readActivity(service, { range, clientId: clientId ?? null, provider: provider ?? null }),
  }),
);
