import type { JobErrorCode } from "@social-connect/contract";
import type { ScenarioBuilder } from "./builder.ts";
import { scenario } from "./scenario.ts";

/** With these a read of any kind can fail, and the connection goes on. */
const READ_ERRORS = [
  "UPSTREAM_UNAVAILABLE",
  "UPSTREAM_RATE_LIMITED",
  "AUTHORIZATION_SUSPENDED",
  "CAPABILITY_UNAVAILABLE",
] as const satisfies readonly JobErrorCode[];

/** Limits, failed jobs, and a service that is not well. */
export const TROUBLE = {
  "rate-limited": scenario({
    summary: "Five attempts are unfinished, so a sixth is refused for the time that is told.",
    reaches: ["code.RATE_LIMITED"],
    seenBy: ["createConnectSession"],
    prepare: (builder) => ({ sessionIds: Array.from({ length: 5 }, () => builder.begin().id) }),
  }),

  "window-busy": scenario({
    summary: "A scan of another window is in flight, so that one more is refused until it has ended.",
    reaches: ["code.SYNC_WINDOW_BUSY"],
    seenBy: ["requestRefresh"],
    prepare: async (builder) => {
      const read = await builder.linkAndRead();
      const window = builder.window(30, 14);
      return { ...read, jobId: builder.refresh(read.connectionId, { window }), otherWindow: builder.window(60, 45) };
    },
  }),

  "provider-limited": scenario({
    summary: "The provider limits every read of posts: the scan is tried again later.",
    reaches: ["SyncStatus.FAILED", "JobStatus.QUEUED"],
    seenBy: ["connections", "syncJob"],
    prepare: async (builder) => {
      const linked = builder.link({ account: "rate-limited-forever" });
      const jobId = builder.scanOf(linked.connectionId);
      while (builder.mock.job(jobId).state.nextRetryAt === null) await builder.mock.step();
      return { ...linked, jobId };
    },
  }),

  "jobs-failed": scenario({
    summary:
      "One job for each errorCode with which reading can fail; the last of them has cost the connection its grant.",
    reaches: [
      "JobStatus.FAILED",
      ...READ_ERRORS.map((code) => `errorCode.${code}`),
      "errorCode.CONTENT_NOT_OWNED",
      "errorCode.CONTENT_NOT_FOUND",
      "errorCode.RECONNECT_REQUIRED",
    ],
    seenBy: ["syncJob"],
    prepare: failEveryWay,
  }),

  "application-disabled": scenario({
    summary: "An operator has disabled the application: its key is known, and everything is refused.",
    reaches: ["code.FORBIDDEN"],
    seenBy: ["integrationReadiness"],
    prepare: (builder) => {
      const linked = builder.link();
      builder.mock.application.disable();
      return linked;
    },
  }),

  "provider-paused": scenario({
    summary: "An operator has paused the registration at the provider, after an account had been linked there.",
    reaches: ["code.AUTHORIZATION_SUSPENDED", "reason.AUTHORIZATION_SUSPENDED"],
    seenBy: ["connections", "connection"],
    prepare: async (builder) => {
      const read = await builder.linkAndRead();
      builder.mock.registration("PROVIDER_A").pause();
      return read;
    },
  }),

  "policy-narrowed": scenario({
    summary: "The application may no longer use the provider at which an account is linked.",
    reaches: ["code.FORBIDDEN", "reason.FORBIDDEN"],
    seenBy: ["connections", "connection"],
    prepare: async (builder) => {
      const read = await builder.linkAndRead();
      builder.mock.application.setPolicy({ providers: ["PROVIDER_B", "PROVIDER_C"] });
      return read;
    },
  }),

  "service-down": scenario({
    summary: "Every operation of the service fails, after an account had been linked and read.",
    reaches: ["code.UPSTREAM_UNAVAILABLE", "adminCode.UPSTREAM_UNAVAILABLE"],
    seenBy: ["integrationReadiness", "adminClients"],
    prepare: async (builder) => {
      const read = await builder.linkAndRead();
      builder.mock.faults.always("*", { code: "UPSTREAM_UNAVAILABLE", retryAfterSeconds: 30 });
      return read;
    },
  }),
} as const;

async function failEveryWay(builder: ScenarioBuilder) {
  const { mock } = builder;
  const read = await builder.linkAndRead();
  const { connectionId } = read;
  const byErrorCode: Partial<Record<JobErrorCode, string>> = {};
  for (const code of READ_ERRORS) byErrorCode[code] = failed(builder.refresh(connectionId), code);

  const [post] = mock.connection(connectionId).account.posts();
  const [foreign] = mock.account("PROVIDER_A", "somebody-else").posts();
  if (post === undefined || foreign === undefined) throw new Error("the accounts have no posts");
  byErrorCode.CONTENT_NOT_FOUND = failed(builder.lookUp(connectionId, post.url), "CONTENT_NOT_FOUND");
  byErrorCode.CONTENT_NOT_OWNED = builder.lookUp(connectionId, foreign.url);
  await mock.settle();
  byErrorCode.RECONNECT_REQUIRED = failed(builder.refresh(connectionId), "RECONNECT_REQUIRED");
  return { ...read, byErrorCode };

  function failed(jobId: string, code: JobErrorCode): string {
    return mock.job(jobId).fail(code).id;
  }
}
