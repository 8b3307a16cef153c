import type { Connection } from "../_generated/consumerWire.ts";
import { PROVIDERS, providersWith } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import { accountHold, ENDED_ACCOUNT } from "./support/accounts.ts";
import { connect, connectAndSettle, listedConnection, readConnection, untilRow } from "./support/connections.ts";
import { DOWN, whileFault } from "./support/faults.ts";
import { requestLookup, untilRetry } from "./support/jobs.ts";

export const CONNECTION_CASES = defineCasesWith({ needs: ["provider"] }, [
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S2.Connection.fields-${provider}`,
    title: `A connection at ${provider} is first PENDING or RUNNING, then READY or PARTIAL, with a profile of its account.`,
    reaches: ["enum:ConnectionStatus.CONNECTED", "field:Connection.providerAccountId"],
    run: async (t) => {
      const connected = await connect(t, { provider });
      const first = await readConnection(t, connected);
      t.oneOf(first.syncStatus, ["PENDING", "RUNNING", "READY", "PARTIAL"], "syncStatus at first");
      const isRead = (one: Connection) => one.profile !== null && ["READY", "PARTIAL"].includes(one.syncStatus);
      const row = await untilRow(t, connected, "the first reads end", isRead);
      t.equal(row.profile?.providerAccountId, row.providerAccountId, "the profile's account");
      const given = Object.values(row.profile ?? {}).filter((value) => value !== null);
      t.holds(given.length > 0, "the profile is not empty");
      t.matches(row.profile?.displayName, /./, "displayName");
      t.matches(row.lastSuccessfulSyncAt, /Z$/, "lastSuccessfulSyncAt");
      t.equal(row.nextRetryAt, null, "nothing waits for a retry");
      t.equal((await listedConnection(t, connected))?.id, row.id, "it is listed");
    },
  })),
  {
    id: "S2.Connection.syncStatus.pending",
    title: "A connection that was never scanned is PENDING.",
    reaches: ["enum:SyncStatus.PENDING"],
    run: async (t) => {
      const row = await readConnection(t, await connect(t, { capabilities: ["PROFILE"] }));
      t.shows(row, { syncStatus: "PENDING", lastSuccessfulSyncAt: null }, "syncStatus and lastSuccessfulSyncAt");
    },
  },
  {
    id: "S2.Connection.profile.not-granted",
    title: "Without PROFILE there is no profile.",
    reaches: ["field:Connection.profile"],
    run: async (t) => {
      const { connection } = await connectAndSettle(t, { capabilities: ["CONTENT_LIST"] });
      t.equal(connection.profile, null, "profile");
      const withProfile = await connectAndSettle(t, { capabilities: ["PROFILE"] });
      t.holds(withProfile.connection.profile !== null, "with PROFILE there is one");
    },
  },
  {
    id: "S2.Connection.nextRetryAt",
    title: "A sync that failed and will be retried has a retry time.",
    reaches: ["field:Connection.nextRetryAt"],
    run: async (t) => {
      const connected = await connect(t, { account: "down" });
      const row = await untilRow(t, connected, "the scan fails temporarily", (one) => one.nextRetryAt !== null);
      t.matches(row.nextRetryAt, /Z$/, "nextRetryAt");
      t.shows(row, { syncStatus: "FAILED", lastSuccessfulSyncAt: null }, "the sync fields");
    },
  },
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S3.connection.first-scan-rate-limited-${provider}`,
    title: `A first scan at ${provider} that is rate-limited for a second is retried after it, not after a day.`,
    reaches: ["field:Connection.nextRetryAt", "enum:SyncStatus.READY"],
    run: async (t) => {
      const connected = await connect(t, { provider, account: "rate-limited" });
      const isReady = (one: Connection) => one.syncStatus === "READY";
      const row = await untilRow(t, connected, "the scan is retried and succeeds", isReady, 60_000);
      t.equal(row.nextRetryAt, null, "nothing waits to be retried");
    },
  })),
  ...caseForEach(providersWith("hasRefreshToken"), (provider) => ({
    id: `S3.connection.end-not-confirmed-${provider}`,
    title: `A rejected access token does not end a connection at ${provider}: the rejected refresh after it does.`,
    holds: [accountHold(provider, ENDED_ACCOUNT[provider])],
    reaches: ["transition:connection.CONNECTED.RECONNECT_REQUIRED", "field:SyncJob.nextRetryAt"],
    run: async (t) => {
      const account = ENDED_ACCOUNT[provider];
      const connected = await connectAndSettle(t, { provider, account });
      await whileFault(t, provider, "refresh", DOWN, { account }, async () => {
        await t.provider.endGrants(provider, account);
        await untilRetry(t, connected, await requestLookup(t, connected, provider, account));
        t.equal((await listedConnection(t, connected))?.status, "CONNECTED", "while the refresh fails");
      });
      await t.eventually(
        "the refresh is rejected",
        () => listedConnection(t, connected),
        (row) => row?.status === "RECONNECT_REQUIRED",
        60_000,
      );
    },
  })),
]);
