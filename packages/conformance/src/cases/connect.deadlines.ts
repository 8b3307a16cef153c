import { concurrently } from "../context/findings.ts";
import { MARGIN_MS } from "../context/jobs.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";

export const CONNECT_DEADLINE_CASES = defineCasesWith({ lane: "timeline", needs: ["clock", "provider"] })({
  ...caseForEach(["CREATED", "AUTHORIZING"], (from) => ({
    id: `S8.connect-deadline.${from}`,
    title: `An attempt that is ${from} reads so until 10 minutes after creation and then EXPIRED, with DEADLINE_PASSED.`,
    needs: ["clock"],
    run: async (t) => {
      const session = await t.createSession();
      if (from === "AUTHORIZING") await t.launched(session, t.browser());
      await t.until(session.expiresAt, -MARGIN_MS);
      t.ends(await t.resultOf(session), from, null, "before the deadline");
      await t.until(session.expiresAt, 1);
      t.ends(await t.resultOf(session), "EXPIRED", "DEADLINE_PASSED");
    },
  })),
  "S8.connect-deadline.launch": {
    title: "A launch form posted after the deadline gets an error page, and the attempt is EXPIRED.",
    needs: ["clock"],
    run: async (t) => {
      const session = await t.createSession();
      await t.until(session.expiresAt, 1);
      t.errorPage(await t.postLaunch(session), [410], "a launch after the deadline");
      t.equal((await t.resultOf(session)).status, "EXPIRED", "status");
    },
  },
  "S8.connect-deadline.callback": {
    title: "A callback after the deadline connects nothing: the attempt is EXPIRED.",
    run: async (t) => {
      const session = await t.createSession();
      const browser = t.browser();
      const page = await t.launched(session, browser);
      await t.until(session.expiresAt, 1);
      const callback = await t.provider.consent(page, { account: "tidepool-studio" });
      const visit = await browser.get(callback);
      t.holds(visit.status < 500, "no internal error", visit.status);
      const result = await t.resultOf(session);
      t.shows(result, { status: "EXPIRED", creatorAction: "REMOVE_APP_AT_PROVIDER" }, "the user did consent");
      await t.nothingConnected(session);
    },
  },
  "S8.connect-deadline.exchanging": {
    title: "An attempt that is still EXCHANGING at its deadline is EXPIRED, and the exchanged tokens are discarded.",
    holds: ["account:C:linen-and-clay"],
    run: async (t) => {
      const account = "linen-and-clay";
      const { session, browser, callback } = await t.consented({ account });
      // The provider responds after the deadline, also by a clock that is not moved during the exchange.
      await t.until(session.expiresAt, -7_000);
      const delay = { kind: "delay", delayMs: 8_000 } as const;
      await t.whileFault("PROVIDER_C", "profile", delay, { account, count: 1 }, async () => {
        const finished = browser.get(callback);
        await t.untilExchanging(session);
        await t.until(session.expiresAt, 1);
        t.ends(await t.resultOf(session), "EXPIRED", "DEADLINE_PASSED");
        t.holds((await finished).status < 500, "the browser gets an error page or a redirect");
      });
      t.equal((await t.resultOf(session)).status, "EXPIRED", "it remains so");
      await t.nothingConnected(session);
    },
  },
  "S8.connect-deadline.makes-room": {
    title: "Expired attempts do not count against the 5.",
    needs: ["clock"],
    run: async (t) => {
      const input = t.connectInput();
      const created = await concurrently(5, () => t.get("createConnectSession", { input }));
      const { retryAfterSeconds } = await t.refuses("createConnectSession", { input }, "RATE_LIMITED");
      const now = await t.driver("clock").now();
      const oldest = Math.min(...created.map(({ expiresAt }) => Date.parse(expiresAt)));
      const retryAtMs = now.getTime() + (retryAfterSeconds ?? 0) * 1_000;
      t.near(retryAtMs, oldest, 30_000, "retryAfterSeconds ends at the oldest attempt's deadline");
      await t.until(new Date(oldest + 2_000));
      await t.get("createConnectSession", { input });
    },
  },
  ...caseForEach(["CREATED", "COMPLETED", "DENIED"], (status) => ({
    id: `S8.connect-readability.${status}`,
    title: `The result of an attempt (${status}) is readable until 24 hours after creation and then NOT_FOUND.`,
    run: async (t) => {
      const session =
        status === "CREATED"
          ? await t.createSession()
          : (await t.attempt({ decision: status === "DENIED" ? "deny" : "allow" })).session;
      await t.until(session.resultExpiresAt, -MARGIN_MS);
      const read = await t.resultOf(session);
      t.equal(read.status, status === "CREATED" ? "EXPIRED" : status, "before the end");
      await t.until(session.resultExpiresAt, 1);
      await t.refuses("connectSessionResult", { scope: session.scope, id: session.id }, "NOT_FOUND");
    },
  })),
  "S3.rule1.refresh-expired": {
    title:
      "A connection whose refresh credential has expired is RECONNECT_REQUIRED, and is listed so without sync data.",
    run: async (t) => {
      // This capability has no background reads, so the expiry is not detected earlier.
      const connected = await t.connect({
        provider: "PROVIDER_B",
        account: "expired-refresh",
        capabilities: ["CONTENT_LOOKUP"],
      });
      t.equal((await t.readConnection(connected)).status, "CONNECTED", "at first");
      await t.until(await t.now(), 60_000);
      await t.connectionRefused(connected, "RECONNECT_REQUIRED");
      t.isWithheldInList(await t.listedConnection(connected), "RECONNECT_REQUIRED", "RECONNECT_REQUIRED");
    },
  },
});
