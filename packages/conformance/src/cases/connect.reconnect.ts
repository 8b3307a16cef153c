import { PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import {
  attempt,
  createSession,
  launched,
  postLaunch,
  resultOf,
  type Session,
  walkThrough,
} from "./support/attempts.ts";
import { connect, connectAndSettle, listedConnection, readConnection } from "./support/connections.ts";
import { ends } from "./support/findings.ts";
import { daysBack, scan, serviceNow } from "./support/jobs.ts";

export const RECONNECT_CASES = defineCasesWith({ needs: ["provider"] })({
  "S2.metrics.narrower-reconnect": {
    title:
      "Metrics from before a reconnect without CONTENT_METRICS are deleted, and stay deleted after a later reconnect with it.",
    reaches: ["field:ContentItem.metrics"],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const { scope, connectionId } = connected;
      const now = await serviceNow(t);
      const window = { ...daysBack(now, 30), first: 50 };
      const metrics = async () => {
        const { items } = await t.get("content", { scope, connectionId, window });
        t.holds(items.length > 0, "there are posts");
        return items.flatMap((item) => item.metrics.map(({ observedAt }) => ({ observedAt, of: item.publishedAt })));
      };
      // The first scan of a connection covers 7 days: older posts are not read again after a reconnect.
      await scan(t, connected, daysBack(now, 30));
      const { publishedAfter: eightDaysAgo } = daysBack(now, 8);
      const older = (await metrics()).filter(({ of }) => Date.parse(of ?? "") < Date.parse(eightDaysAgo));
      t.holds(older.length > 0, "there are metrics of posts that no reconnect reads again");
      const narrower = { capabilities: ["PROFILE", "CONTENT_LIST"] } as const;
      await connectAndSettle(t, { scope, reconnectConnectionId: connectionId, ...narrower });
      t.equal(await metrics(), [], "without CONTENT_METRICS");
      const narrowed = await serviceNow(t);
      await connect(t, { scope, reconnectConnectionId: connectionId });
      for (const { observedAt } of await metrics()) {
        t.holds(Date.parse(observedAt) >= narrowed.getTime(), "no metric is older than the consent", observedAt);
      }
    },
  },
  "S3.attempt.account-mismatch": {
    title: "A reconnect with another account ends FAILED with ACCOUNT_MISMATCH and changes nothing.",
    holds: ["account:C:linen-and-clay"],
    reaches: ["transition:attempt.EXCHANGING.FAILED.ACCOUNT_MISMATCH", "field:ConnectSessionResult.creatorAction"],
    run: async (t) => {
      const { scope, connectionId } = await connect(t);
      const { result } = await attempt(t, { scope, reconnectConnectionId: connectionId, account: "linen-and-clay" });
      ends(t, result, "FAILED", "ACCOUNT_MISMATCH");
      t.equal(result.creatorAction, "REMOVE_APP_AT_PROVIDER", "a grant that PROVIDER_C does not revoke");
      const { items } = await t.get("connections", { scope });
      t.equal(items.length, 1, "the connections");
      t.shows(items[0], { id: connectionId, status: "CONNECTED" }, "the connection");
    },
  },
  "S3.attempt.nothing-granted-PROVIDER_B": {
    title: "A user who reconnects at PROVIDER_B and deselects every scope is DENIED and keeps the working connection.",
    reaches: ["transition:attempt.EXCHANGING.DENIED.NO_CAPABILITY_GRANTED"],
    run: async (t) => {
      const connected = await connectAndSettle(t, { provider: "PROVIDER_B" });
      const { scope, connectionId } = connected;
      const again = { provider: "PROVIDER_B", scope, reconnectConnectionId: connectionId, scopes: () => [] } as const;
      ends(t, (await attempt(t, again)).result, "DENIED", "NO_CAPABILITY_GRANTED");
      // A revoke would run concurrently: two consecutive reads leave it time.
      for (const days of [3, 4]) {
        const job = await scan(t, connected, daysBack(await serviceNow(t), days));
        t.shows(job, { status: "SUCCEEDED", errorCode: null }, "a read with the previous grant");
      }
      t.equal((await readConnection(t, connected)).status, "CONNECTED", "the connection");
    },
  },
  "S3.attempt.single-scope-PROVIDER_A": {
    title: "The single scope of PROVIDER_A cannot be deselected: allowing grants it.",
    reaches: ["transition:attempt.EXCHANGING.COMPLETED"],
    run: async (t) => {
      const { result } = await attempt(t, { provider: "PROVIDER_A", scopes: () => [] });
      ends(t, result, "COMPLETED", null);
    },
  },
  ...caseForEach(["CREATED", "AUTHORIZING"], (from) => ({
    id: `S3.attempt.superseded-${from}`,
    title: `A reconnect that is ${from} is CANCELED with SUPERSEDED when a newer reconnect of the same connection is launched.`,
    reaches: [
      `transition:attempt.${from}.CANCELED.SUPERSEDED`,
      "resultCode:SUPERSEDED",
      "enum:ConnectSessionStatus.CANCELED",
    ],
    run: async (t) => {
      const { scope, connectionId } = await connect(t);
      const browser = t.browser();
      const older = await createSession(t, { scope, reconnectConnectionId: connectionId });
      const page = from === "AUTHORIZING" ? await launched(t, older, browser) : null;
      const newer = await createSession(t, { scope, reconnectConnectionId: connectionId });
      t.equal((await resultOf(t, older)).status, from, "a newer attempt that was only created cancels nothing");
      t.equal((await postLaunch(t, newer)).status, 303, "the newer attempt is launched");
      ends(t, await resultOf(t, older), "CANCELED", "SUPERSEDED");
      if (page === null)
        t.holds((await postLaunch(t, older)).status >= 400, "the older attempt can no longer be launched");
      else {
        await browser.get(await t.provider.consent(page, { account: "tidepool-studio" }));
        ends(t, await resultOf(t, older), "CANCELED", "SUPERSEDED");
      }
    },
  })),
  "S3.attempt.superseded-order": {
    title:
      "Each launch cancels the reconnects that were created shortly before it, and none that were created after it.",
    reaches: ["resultCode:SUPERSEDED", "enum:ConnectSessionStatus.CANCELED"],
    run: async (t) => {
      const { scope, connectionId } = await connect(t);
      const sessions: Session[] = [];
      for (let count = 0; count < 4; count += 1) {
        sessions.push(await createSession(t, { scope, reconnectConnectionId: connectionId }));
      }
      const statuses = () => Promise.all(sessions.map(async (session) => (await resultOf(t, session)).status));
      const [, second, , fourth] = sessions as [Session, Session, Session, Session];
      t.equal((await postLaunch(t, second)).status, 303, "the second is launched");
      t.equal(await statuses(), ["CANCELED", "AUTHORIZING", "CREATED", "CREATED"], "after the launch of the second");
      t.equal((await postLaunch(t, fourth)).status, 303, "the fourth is launched");
      t.equal(await statuses(), ["CANCELED", "CANCELED", "CANCELED", "AUTHORIZING"], "after the launch of the fourth");
    },
  },
  "S3.attempt.first-time-attempts-coexist": {
    title: "First-time attempts never cancel each other.",
    reaches: ["enum:ConnectSessionStatus.AUTHORIZING", "enum:ConnectSessionStatus.COMPLETED"],
    run: async (t) => {
      const scope = t.scope();
      const first = await createSession(t, { scope });
      await launched(t, first, t.browser());
      const second = await createSession(t, { scope });
      await walkThrough(t, second, { account: "tidepool-studio" });
      t.equal((await resultOf(t, first)).status, "AUTHORIZING", "the first");
      t.equal((await resultOf(t, second)).status, "COMPLETED", "the second");
    },
  },
  ...caseForEach(["CREATED", "AUTHORIZING"], (from) => ({
    id: `S3.attempt.reconnect-target-gone-${from}`,
    title: `A reconnect that is ${from} is CANCELED with RECONNECT_TARGET_GONE when its connection is disconnected.`,
    reaches: [`transition:attempt.${from}.CANCELED.RECONNECT_TARGET_GONE`, "resultCode:RECONNECT_TARGET_GONE"],
    run: async (t) => {
      const { scope, connectionId } = await connect(t);
      const session = await createSession(t, { scope, reconnectConnectionId: connectionId });
      if (from === "AUTHORIZING") await launched(t, session, t.browser());
      await t.get("disconnectConnection", { scope, connectionId });
      ends(t, await resultOf(t, session), "CANCELED", "RECONNECT_TARGET_GONE");
    },
  })),
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S2.Connection.id.reconnect-${provider}`,
    title: `A reconnect at ${provider} keeps the connection's id, and so does connecting the same account again.`,
    reaches: ["field:Connection.id"],
    run: async (t) => {
      const { scope, connectionId } = await connect(t, { provider });
      const again = await connect(t, { provider, scope, reconnectConnectionId: connectionId });
      t.equal(again.connectionId, connectionId, "with a reconnect target");
      const unnamed = await connect(t, { provider, scope });
      t.equal(unnamed.connectionId, connectionId, "without one");
      t.equal((await t.get("connections", { scope })).items.length, 1, "one connection");
      await readConnection(t, { scope, connectionId });
    },
  })),
  "S2.Connection.capabilities.latest-consent": {
    title: "Capabilities are those of the latest consent.",
    reaches: ["field:Connection.capabilities"],
    run: async (t) => {
      const { scope, connectionId } = await connect(t, { capabilities: ["PROFILE"] });
      const capabilities = ["CONTENT_LIST", "CONTENT_METRICS"] as const;
      await connect(t, { scope, reconnectConnectionId: connectionId, capabilities });
      const row = await readConnection(t, { scope, connectionId });
      t.equal(row.capabilities.map((entry) => entry.capability).sort(), [...capabilities], "capabilities");
      t.equal(row.profile, null, "without PROFILE there is no profile");
    },
  },
  "S3.connection.other-scope-is-another": {
    title: "The same account connected by another subject is another connection.",
    reaches: ["transition:connection.none.CONNECTED"],
    run: async (t) => {
      const [one, other] = [await connect(t), await connect(t)];
      t.holds(one.connectionId !== other.connectionId, "two ids");
      await t.refuses("connection", { scope: one.scope, id: other.connectionId }, "NOT_FOUND");
      await readConnection(t, one);
      t.holds((await listedConnection(t, other)) !== null, "each is listed for its own subject");
    },
  },
});
