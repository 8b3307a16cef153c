import { type JobErrorCode, LIMITS } from "@social-connect/contract";
import type { ReadAccount, ScenarioBuilder } from "./builder.ts";
import { scenario } from "./scenario.ts";

/** Errors of every kind of read that do not end the connection. */
const READ_ERRORS = [
  "UPSTREAM_UNAVAILABLE",
  "UPSTREAM_RATE_LIMITED",
  "AUTHORIZATION_SUSPENDED",
  "CAPABILITY_UNAVAILABLE",
] as const satisfies readonly JobErrorCode[];

export const FAILURES = {
  "rate-limited": scenario({
    summary: "The maximum of unfinished attempts is reached, so another is refused with retryAfterSeconds.",
    reaches: { code: ["RATE_LIMITED"] },
    seenBy: ["createConnectSession"],
    prepare: (builder) => ({
      sessionIds: Array.from({ length: LIMITS.unfinishedConnectAttempts }, () => builder.begin().id),
    }),
  }),

  "window-busy": scenario({
    summary: "A scan of another window is in flight, so a second scan is refused until it ends.",
    reaches: { code: ["SYNC_WINDOW_BUSY"] },
    seenBy: ["requestRefresh"],
    prepare: async (builder) => {
      const read = await builder.linkAndRead();
      const window = builder.window(30, 14);
      return { ...read, jobId: builder.refresh(read.connectionId, { window }), otherWindow: builder.window(60, 45) };
    },
  }),

  "provider-limited": scenario({
    summary: "The provider rate-limits every read of posts. The scan will be retried.",
    reaches: { SyncStatus: ["FAILED"], JobStatus: ["QUEUED"] },
    seenBy: ["connections", "syncJob"],
    prepare: async (builder) => {
      const scan = builder.linkAndScan({ provider: "PROVIDER_B", account: "rate-limited-forever" });
      await builder.stepToRetry(scan.jobId);
      return scan;
    },
  }),

  "posts-refused": scenario({
    summary:
      "For a day the provider has refused to list the posts of an account, with an undocumented code, and has listed those of another.",
    reaches: { ConnectionStatus: ["CONNECTED"], Availability: ["UNAVAILABLE"], reason: ["UPSTREAM_UNAVAILABLE"] },
    seenBy: ["connections"],
    prepare: async (builder) => {
      const other = await builder.linkAndRead({ provider: "PROVIDER_C" });
      const { connectionId, jobId } = builder.linkAndScan({ provider: "PROVIDER_C", account: "refused-reads" });
      await builder.mock.settle();
      await builder.mock.clock.advance("25h");
      for (const id of [other.connectionId, connectionId]) {
        builder.refresh(id);
        await builder.mock.settle();
      }
      return { connectionId, jobId, otherConnectionId: other.connectionId };
    },
  }),

  "jobs-failed": scenario({
    summary: "One job for each errorCode of reads. The last one has ended the connection's grant.",
    reaches: {
      JobStatus: ["FAILED"],
      errorCode: [...READ_ERRORS, "CONTENT_NOT_OWNED", "CONTENT_NOT_FOUND", "RECONNECT_REQUIRED"],
    },
    seenBy: ["syncJob"],
    prepare: failEveryWay,
  }),

  "application-disabled": scenario({
    summary: "The application is disabled: its key is valid, and every operation is refused.",
    reaches: { code: ["FORBIDDEN"] },
    seenBy: ["integrationReadiness"],
    prepare: (builder) => {
      const linked = builder.link();
      builder.mock.application.disable();
      return linked;
    },
  }),

  "provider-paused": scenario({
    summary: "The registration at the provider is paused, and an account is linked there.",
    reaches: { code: ["AUTHORIZATION_SUSPENDED"], reason: ["AUTHORIZATION_SUSPENDED"] },
    seenBy: ["connections", "connection"],
    prepare: afterRead(({ mock }) => mock.registration("PROVIDER_A").pause()),
  }),

  "policy-narrowed": scenario({
    summary: "The application may no longer use the provider of a linked account.",
    reaches: { code: ["FORBIDDEN"], reason: ["FORBIDDEN"] },
    seenBy: ["connections", "connection"],
    prepare: afterRead(({ mock }) => mock.application.setPolicy({ providers: ["PROVIDER_B", "PROVIDER_C"] })),
  }),

  "service-down": scenario({
    summary: "Every operation of the service fails. An account is linked and read.",
    reaches: { code: ["UPSTREAM_UNAVAILABLE"], adminCode: ["UPSTREAM_UNAVAILABLE"] },
    seenBy: ["integrationReadiness", "adminClients"],
    prepare: afterRead(({ mock }) => mock.faults.always("*", { code: "UPSTREAM_UNAVAILABLE", retryAfterSeconds: 30 })),
  }),
} as const;

function afterRead(change: (builder: ScenarioBuilder) => void): (builder: ScenarioBuilder) => Promise<ReadAccount> {
  return async (builder) => {
    const read = await builder.linkAndRead();
    change(builder);
    return read;
  };
}

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
