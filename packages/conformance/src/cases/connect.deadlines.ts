import { BURST, concurrently } from "../context/findings.ts";
import { MARGIN_MS, REMOVE } from "../context/jobs.ts";
import type { Connected, Steps } from "../context/steps.ts";
import { PROVIDERS } from "../description/providers.ts";
import { defineCases } from "../harness/defineCase.ts";

export const CONNECT_DEADLINE_CASES = defineCases({ lane: "timeline", needs: ["clock", "provider"] }, (test) => {
  for (const from of ["CREATED", "AUTHORIZING"] as const)
    test(`S8.connect-deadline.${from}: An attempt that is ${from} reads so until 10 minutes after creation and then EXPIRED, with DEADLINE_PASSED.`, async (t) => {
      const session = await t.createSession();
      if (from === "AUTHORIZING") await t.launched(session, t.browser());
      await t.until(session.expiresAt, -MARGIN_MS);
      t.ends(await t.resultOf(session), from, null);
      await t.until(session.expiresAt, 1);
      t.ends(await t.resultOf(session), "EXPIRED", "DEADLINE_PASSED");
    }).with({ needs: ["clock"] });
  test("S8.connect-deadline.launch: A launch form posted after the deadline gets an error page, and the attempt is EXPIRED.", async (t) => {
    const session = await t.createSession();
    await t.until(session.expiresAt, 1);
    t.errorPage(await t.postLaunch(session), [410], "a launch after the deadline");
    t.equal((await t.resultOf(session)).status, "EXPIRED", "status");
  }).with({ needs: ["clock"] });
  test("S8.connect-deadline.callback: A callback after the deadline connects nothing: the attempt is EXPIRED.", async (t) => {
    const { session, browser, page } = await t.launchedIn(await t.createSession());
    await t.until(session.expiresAt, 1);
    const visit = await browser.get(await t.provider.consent(page, { account: "tidepool-studio" }));
    t.holds(visit.status < 500, "no internal error", visit.status);
    // The user did consent.
    await t.endsUnconnected(session, "EXPIRED", "DEADLINE_PASSED", { creatorAction: REMOVE });
  });
  test("S8.connect-deadline.exchanging: An attempt that is still EXCHANGING at its deadline is EXPIRED, and the exchanged tokens are discarded.", async (t) => {
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
    await t.endsUnconnected(session, "EXPIRED", "DEADLINE_PASSED");
  }).with({ holds: ["account:C:linen-and-clay"] });
  test("S8.connect-deadline.makes-room: Expired attempts do not count against the 5.", async (t) => {
    const input = t.connectInput();
    const created = await concurrently(5, () => t.get("createConnectSession", { input }));
    const { retryAfterSeconds } = await t.refuses("createConnectSession", { input }, "RATE_LIMITED");
    const now = await t.driver("clock").now();
    const oldest = Math.min(...created.map(({ expiresAt }) => Date.parse(expiresAt)));
    const retryAtMs = now.getTime() + (retryAfterSeconds ?? 0) * 1_000;
    t.near(retryAtMs, oldest, 30_000, "retryAfterSeconds ends at the oldest attempt's deadline");
    await t.until(new Date(oldest + 2_000));
    await t.get("createConnectSession", { input });
  }).with({ needs: ["clock"] });
  for (const status of ["CREATED", "COMPLETED", "DENIED"] as const)
    test(`S8.connect-readability.${status}: The result of an attempt (${status}) is readable until 24 hours after creation and then NOT_FOUND.`, async (t) => {
      const { session } =
        status === "CREATED"
          ? { session: await t.createSession() }
          : await t.attempt({ decision: status === "DENIED" ? "deny" : "allow" });
      await t.until(session.resultExpiresAt, -MARGIN_MS);
      t.equal((await t.resultOf(session)).status, status === "CREATED" ? "EXPIRED" : status, "before the end");
      await t.until(session.resultExpiresAt, 1);
      await t.refuses("connectSessionResult", { scope: session.scope, id: session.id }, "NOT_FOUND");
    });
  test("S3.rule1.refresh-expired: A connection whose refresh credential has expired is RECONNECT_REQUIRED, and listed without sync data.", async (t) => {
    // This capability has no background reads, so the expiry is not detected earlier.
    const account = { provider: "PROVIDER_B", account: "expired-refresh" } as const;
    const connected = await t.connect({ ...account, capabilities: ["CONTENT_LOOKUP"] });
    t.equal((await t.readConnection(connected)).status, "CONNECTED", "at first");
    await t.until(await t.now(), 60_000);
    await t.connectionRefused(connected, "RECONNECT_REQUIRED");
    t.isWithheldInList(await t.listedConnection(connected), "RECONNECT_REQUIRED", "RECONNECT_REQUIRED");
  });
});

const MOST_RECENT = 2_000;
export const UNFINISHED_CASES = defineCases({}, (test) => {
  for (const provider of PROVIDERS)
    test(`S8.unfinished-connects.exact-${provider}: Exactly 5 of 40 concurrent attempts of one subject at ${provider} succeed; others are not affected.`, async (t) => {
      const input = t.connectInput({ provider });
      const outcomes = await concurrently(40, () => t.call("createConnectSession", { input }));
      for (const { retryAfterSeconds } of t.exactly(5, outcomes, ["RATE_LIMITED"]).failures) {
        const seconds = retryAfterSeconds ?? 0;
        t.holds(seconds > 500 && seconds <= 600, "retryAfterSeconds ends at the oldest attempt's deadline", seconds);
      }
      await t.createSession({ provider });
      const next = PROVIDERS.find((other) => other !== provider) ?? provider;
      await t.createSession({ scope: input.scope, provider: next });
    }).with({ holds: [BURST] });
  test("S8.unfinished-connects.finished-do-not-count: An attempt that has ended allows another.", async (t) => {
    const scope = t.scope();
    const first = await t.createSession({ scope });
    for (let count = 1; count < 5; count += 1) await t.createSession({ scope });
    await t.refusesSession({ scope }, "RATE_LIMITED");
    await t.walkThrough(first, { account: "tidepool-studio", decision: "deny" });
    await t.createSession({ scope });
    await t.refusesSession({ scope }, "RATE_LIMITED");
  }).with({ needs: ["provider"] });
  test("S8.recent-connects: An application that has started 2,000 attempts within 10 minutes starts no other, and is told until when.", async (t) => {
    const startedAt = await t.now();
    const first = await t.createSession();
    const { repeatAttempt } = t.driver("storage");
    if (repeatAttempt) await repeatAttempt(first.id, MOST_RECENT - 2);
    else for (let count = 2; count < MOST_RECENT; count += 1) await t.createSession();
    await t.createSession();
    const refusal = await t.refusesSession({}, "RATE_LIMITED");
    const retryAtMs = (await t.now()).getTime() + (refusal.retryAfterSeconds ?? 0) * 1_000;
    t.near(retryAtMs, startedAt.getTime() + 600_000, 30_000, "retryAfterSeconds ends at the oldest attempt's deadline");
    t.matches(refusal.message, /2000 in 10 minutes/, "the message");
    const other = await t.anotherApplication();
    const scope = t.scope(other.tenantKeys[0]);
    const input = { ...t.connectInput({ scope }), returnUrl: other.returnUrl };
    t.value(await t.callWith(t.caller(other.key), "createConnectSession", { input }), "another application");
  }).with({
    needs: ["operator", "storage"], // 2,000 calls would take the time in which other cases expect their answers.
    lane: "alone",
  });
});

const UNCHANGED_MS = 3_000;

/** What would end an attempt before its deadline, with another status. */
const LATE_EVENTS: Readonly<
  Record<string, (t: Steps, reconnect: Connected & { returnUrl: string }) => Promise<unknown>>
> = {
  "its connection is disconnected": (t, connected) => t.disconnect(connected),
  "a newer attempt is launched": async (t, { scope, connectionId }) => {
    const newer = await t.createSession({ scope, reconnectConnectionId: connectionId });
    t.equal((await t.postLaunch(newer)).status, 303, "the newer attempt is launched");
  },
  "its application is disabled": async (t) => {
    await t.setEnabled(false);
    await t.setEnabled(true);
  },
  "its return URL is removed": (t, { returnUrl }) => t.removeReturnUrl(returnUrl),
};

export const OVERDUE_ATTEMPT_CASES = defineCases({}, (test) => {
  for (const [what, happens] of Object.entries(LATE_EVENTS))
    test(`S8.connect-deadline.before-${what.replaceAll(" ", "-")}: An expired attempt stays EXPIRED when ${what}, whether it was CREATED or AUTHORIZING.`, async (t) => {
      const { scope, connectionId } = await t.connect();
      const returnUrl = `${t.application.returnUrl}?removed=late`;
      await t.addReturnUrl(returnUrl);
      const wanted = { scope, reconnectConnectionId: connectionId, returnUrl };
      const authorizing = await t.createSession(wanted);
      await t.launched(authorizing, t.browser());
      const created = await t.createSession(wanted);
      // A service may run its purge when its clock is moved, which expires the attempt: the last seconds pass in real
      // time.
      const deadline = new Date(created.expiresAt);
      await t.until(deadline, -UNCHANGED_MS);
      await t.eventually("the deadline passes", async () => (await t.now()) > deadline, Boolean);
      await happens(t, { scope, connectionId, returnUrl });
      // A launch form that is posted now must not be rejected as already used.
      t.errorPage(await t.postLaunch(created), [410], "the launch of the attempt that was CREATED");
      for (const one of [created, authorizing]) t.ends(await t.resultOf(one), "EXPIRED", "DEADLINE_PASSED");
    }).with({ lane: "timeline", needs: ["clock", "provider", "operator"] });
});
