import type { Case } from "../harness/defineCase.ts";
import { defineCase } from "../harness/defineCase.ts";
import { connect, connectAndSettle, listedConnection, PROVIDERS, readConnection } from "./support/journeys.ts";

export const CONNECTION_CASES: readonly Case[] = [
  ...PROVIDERS.map((provider) =>
    defineCase({
      id: `S2.Connection.fields-${provider}`,
      title: `A connection at ${provider} is first PENDING or RUNNING, then READY or PARTIAL, with a profile of its account.`,
      part: 2,
      needs: ["provider"],
      reaches: ["operation:connection", "enum:ConnectionStatus.CONNECTED", "field:Connection.providerAccountId"],
      run: async (t) => {
        const connected = await connect(t, { provider });
        const first = await readConnection(t, connected);
        t.oneOf(first.syncStatus, ["PENDING", "RUNNING", "READY", "PARTIAL"], "syncStatus at first");
        const row = await t.eventually(
          "the first reads end",
          () => readConnection(t, connected),
          (one) => one.profile !== null && ["READY", "PARTIAL"].includes(one.syncStatus),
        );
        t.equal(row.profile?.providerAccountId, row.providerAccountId, "the profile's account");
        t.holds(
          Object.values(row.profile ?? {}).some((value) => value !== null),
          "the profile says something",
        );
        t.matches(row.profile?.displayName, /./, "displayName");
        t.matches(row.lastSuccessfulSyncAt, /Z$/, "lastSuccessfulSyncAt");
        t.equal(row.nextRetryAt, null, "nothing waits to be tried again");
        t.equal((await listedConnection(t, connected))?.id, row.id, "it is listed");
      },
    }),
  ),
  defineCase({
    id: "S2.Connection.syncStatus.pending",
    title: "A connection that was never scanned is PENDING.",
    part: 2,
    needs: ["provider"],
    reaches: ["enum:SyncStatus.PENDING"],
    run: async (t) => {
      const row = await readConnection(t, await connect(t, { capabilities: ["PROFILE"] }));
      t.equal([row.syncStatus, row.lastSuccessfulSyncAt], ["PENDING", null], "syncStatus and lastSuccessfulSyncAt");
    },
  }),
  defineCase({
    id: "S2.Connection.profile.not-granted",
    title: "Without PROFILE there is no profile.",
    part: 2,
    needs: ["provider"],
    reaches: ["field:Connection.profile"],
    run: async (t) => {
      const { connection } = await connectAndSettle(t, { capabilities: ["CONTENT_LIST"] });
      t.equal(connection.profile, null, "profile");
      const withProfile = await connectAndSettle(t, { capabilities: ["PROFILE"] });
      t.holds(withProfile.connection.profile !== null, "with PROFILE there is one");
    },
  }),
  defineCase({
    id: "S2.Connection.nextRetryAt",
    title: "A sync that failed and will be tried again says when.",
    part: 2,
    needs: ["provider"],
    reaches: ["field:Connection.nextRetryAt", "enum:SyncStatus.FAILED"],
    run: async (t) => {
      const connected = await connect(t, { account: "down" });
      const row = await t.eventually(
        "the scan fails for now",
        () => readConnection(t, connected),
        (one) => one.nextRetryAt !== null,
      );
      t.matches(row.nextRetryAt, /Z$/, "nextRetryAt");
      t.equal([row.syncStatus, row.lastSuccessfulSyncAt], ["FAILED", null], "what is said of the sync");
    },
  }),
];
