import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import { errorPage } from "./support/findings.ts";
import {
  attempt,
  connect,
  connectInput,
  createSession,
  launched,
  postLaunch,
  readConnection,
} from "./support/journeys.ts";

/** Distance of the reads before and after a deadline. */
const CLOSE_MS = 30_000;

export const CONNECT_DEADLINE_CASES = defineCasesWith({ lane: "timeline", needs: ["clock", "provider"] }, [
  ...caseForEach(["CREATED", "AUTHORIZING"], (from) => ({
    id: `S8.connect-deadline.${from}`,
    title: `An attempt that is ${from} reads so until 10 minutes after creation and then EXPIRED, with DEADLINE_PASSED.`,
    needs: ["clock"],
    reaches: [
      "limit:connect-deadline",
      `transition:attempt.${from}.EXPIRED.DEADLINE_PASSED`,
      "resultCode:DEADLINE_PASSED",
      "enum:ConnectSessionStatus.EXPIRED",
    ],
    run: async (t) => {
      const scope = t.scope();
      const session = await createSession(t, { scope });
      if (from === "AUTHORIZING") await launched(t, session, t.browser());
      const read = async () => {
        const { status, resultCode } = await t.get("connectSessionResult", { scope, id: session.id });
        return [status, resultCode];
      };
      await t.until(new Date(Date.parse(session.expiresAt) - CLOSE_MS));
      t.equal(await read(), [from, null], "before the deadline");
      await t.until(new Date(Date.parse(session.expiresAt) + 1));
      t.equal(await read(), ["EXPIRED", "DEADLINE_PASSED"], "after it");
    },
  })),
  {
    id: "S8.connect-deadline.launch",
    title: "A launch form posted after the deadline gets an error page, and the attempt is EXPIRED.",
    needs: ["clock"],
    reaches: ["limit:connect-deadline", "enum:ConnectSessionStatus.EXPIRED"],
    run: async (t) => {
      const scope = t.scope();
      const session = await createSession(t, { scope });
      await t.until(new Date(Date.parse(session.expiresAt) + 1));
      errorPage(t, await postLaunch(t, session), [410], "a launch after the deadline");
      t.equal((await t.get("connectSessionResult", { scope, id: session.id })).status, "EXPIRED", "status");
    },
  },
  {
    id: "S8.connect-deadline.callback",
    title: "A callback after the deadline connects nothing: the attempt is EXPIRED.",
    reaches: ["limit:connect-deadline", "enum:ConnectSessionStatus.EXPIRED"],
    run: async (t) => {
      const scope = t.scope();
      const session = await createSession(t, { scope });
      const browser = t.browser();
      const page = await launched(t, session, browser);
      await t.until(new Date(Date.parse(session.expiresAt) + 1));
      const callback = await t.provider.consent(page, { account: "tidepool-studio" });
      const visit = await browser.get(callback);
      t.holds(visit.status < 500, "no internal error", visit.status);
      const { status, creatorAction } = await t.get("connectSessionResult", { scope, id: session.id });
      t.equal([status, creatorAction], ["EXPIRED", "REMOVE_APP_AT_PROVIDER"], "the user did consent");
      t.equal((await t.get("connections", { scope })).items, [], "nothing is connected");
    },
  },
  {
    id: "S8.connect-deadline.exchanging",
    title: "An attempt that is still EXCHANGING at its deadline is EXPIRED, and the exchanged tokens are discarded.",
    holds: ["account:C:linen-and-clay"],
    reaches: [
      "transition:attempt.EXCHANGING.EXPIRED.DEADLINE_PASSED",
      "enum:ConnectSessionStatus.EXCHANGING",
      "enum:ConnectSessionStatus.EXPIRED",
    ],
    run: async (t) => {
      const scope = t.scope();
      const session = await createSession(t, { scope });
      const browser = t.browser();
      const callback = await t.provider.consent(await launched(t, session, browser), { account: "linen-and-clay" });
      // The provider responds after the deadline, also by a clock that is not moved during the exchange.
      await t.until(new Date(Date.parse(session.expiresAt) - 7_000));
      const delay = { kind: "delay", delayMs: 8_000 } as const;
      const end = await t.provider.fault("PROVIDER_C", "profile", delay, { account: "linen-and-clay", count: 1 });
      try {
        const finished = browser.get(callback);
        await t.eventually(
          "the attempt reads EXCHANGING",
          () => t.get("connectSessionResult", { scope, id: session.id }),
          (result) => result.status === "EXCHANGING",
        );
        await t.until(new Date(Date.parse(session.expiresAt) + 1));
        const { status, resultCode } = await t.get("connectSessionResult", { scope, id: session.id });
        t.equal([status, resultCode], ["EXPIRED", "DEADLINE_PASSED"], "at the deadline");
        t.holds((await finished).status < 500, "the browser gets an error page or a redirect");
      } finally {
        await end();
      }
      t.equal((await t.get("connectSessionResult", { scope, id: session.id })).status, "EXPIRED", "it remains so");
      t.equal((await t.get("connections", { scope })).items, [], "nothing is connected");
    },
  },
  {
    id: "S8.connect-deadline.makes-room",
    title: "Expired attempts do not count against the 5.",
    needs: ["clock"],
    reaches: ["limit:unfinished-connects", "code:RATE_LIMITED"],
    run: async (t) => {
      const input = connectInput(t);
      const created = await Promise.all(Array.from({ length: 5 }, () => t.get("createConnectSession", { input })));
      const { retryAfterSeconds } = await t.refuses("createConnectSession", { input }, "RATE_LIMITED");
      const now = await t.driver("clock").now();
      const oldest = Math.min(...created.map(({ expiresAt }) => Date.parse(expiresAt)));
      t.near(
        now.getTime() + (retryAfterSeconds ?? 0) * 1_000,
        oldest,
        30_000,
        "retryAfterSeconds ends at the oldest attempt's deadline",
      );
      await t.until(new Date(oldest + 2_000));
      await t.get("createConnectSession", { input });
    },
  },
  ...caseForEach(["CREATED", "COMPLETED", "DENIED"], (status) => ({
    id: `S8.connect-readability.${status}`,
    title: `The result of an attempt (${status}) is readable until 24 hours after creation and then NOT_FOUND.`,
    reaches: ["limit:connect-readability", "code:NOT_FOUND"],
    run: async (t) => {
      const scope = t.scope();
      const session =
        status === "CREATED"
          ? await createSession(t, { scope })
          : (await attempt(t, { scope, decision: status === "DENIED" ? "deny" : "allow" })).session;
      await t.until(new Date(Date.parse(session.resultExpiresAt) - CLOSE_MS));
      const read = await t.get("connectSessionResult", { scope, id: session.id });
      t.equal(read.status, status === "CREATED" ? "EXPIRED" : status, "before the end");
      await t.until(new Date(Date.parse(session.resultExpiresAt) + 1));
      await t.refuses("connectSessionResult", { scope, id: session.id }, "NOT_FOUND");
    },
  })),
  {
    id: "S3.rule1.refresh-expired",
    title:
      "A connection whose refresh credential has expired is RECONNECT_REQUIRED, and is listed so without sync data.",
    reaches: [
      "rule:part3.1.grant",
      "rule:part3.4.grant",
      "reason:RECONNECT_REQUIRED",
      "code:RECONNECT_REQUIRED",
      "enum:SyncStatus.STALE",
    ],
    run: async (t) => {
      // This capability has no background reads, so the expiry is not detected earlier.
      const connected = await connect(t, {
        provider: "PROVIDER_B",
        account: "expired-refresh",
        capabilities: ["CONTENT_LOOKUP"],
      });
      const { scope, connectionId } = connected;
      t.equal((await readConnection(t, connected)).status, "CONNECTED", "at first");
      await t.until(new Date((await t.driver("clock").now()).getTime() + 60_000));
      await t.refuses("connection", { scope, id: connectionId }, "RECONNECT_REQUIRED");
      const [row] = (await t.get("connections", { scope })).items;
      t.equal(
        [row?.status, row?.syncStatus, row?.profile, row?.lastSuccessfulSyncAt, row?.nextRetryAt],
        ["RECONNECT_REQUIRED", "STALE", null, null, null],
        "the row in the list",
      );
      for (const entry of row?.capabilities ?? []) {
        t.equal([entry.availability, entry.reason], ["UNAVAILABLE", "RECONNECT_REQUIRED"], entry.capability);
      }
    },
  },
]);
