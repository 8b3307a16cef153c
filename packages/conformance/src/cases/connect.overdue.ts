import { PROVIDERS } from "../description/providers.ts";
import type { CaseContext } from "../harness/context.ts";
import { caseForEach, defineCases } from "../harness/defineCase.ts";
import {
  connectInput,
  createSession,
  launched,
  postLaunch,
  refusesSession,
  resultOf,
  walkThrough,
} from "./support/attempts.ts";
import { type Connected, connect } from "./support/connections.ts";
import { disconnect } from "./support/disconnects.ts";
import { BURST, concurrently, ends } from "./support/findings.ts";
import { serviceNow } from "./support/jobs.ts";

export const UNFINISHED_CASES = defineCases({
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S8.unfinished-connects.exact-${provider}`,
    title: `Exactly 5 of 40 concurrent attempts of one subject at ${provider} succeed; others are not affected.`,
    holds: [BURST],
    reaches: ["limit:unfinished-connects"],
    run: async (t) => {
      const input = connectInput(t, { provider });
      const outcomes = await concurrently(40, () => t.call("createConnectSession", { input }));
      t.equal(outcomes.filter((outcome) => outcome.ok).length, 5, "attempts that were created");
      for (const outcome of outcomes) {
        if (outcome.ok) continue;
        t.equal(outcome.code, "RATE_LIMITED", "code of the others");
        const seconds = outcome.retryAfterSeconds ?? 0;
        t.holds(seconds > 500 && seconds <= 600, "retryAfterSeconds ends at the oldest attempt's deadline", seconds);
      }
      await createSession(t, { provider });
      const next = PROVIDERS.find((other) => other !== provider) ?? provider;
      await createSession(t, { scope: input.scope, provider: next });
    },
  })),
  "S8.unfinished-connects.finished-do-not-count": {
    title: "An attempt that has ended allows another.",
    needs: ["provider"],
    reaches: ["limit:unfinished-connects"],
    run: async (t) => {
      const scope = t.scope();
      const sessions = [];
      for (let round = 0; round < 5; round += 1) sessions.push(await createSession(t, { scope }));
      await refusesSession(t, { scope }, "RATE_LIMITED");
      const [first] = sessions;
      if (first) await walkThrough(t, first, { account: "tidepool-studio", decision: "deny" });
      await createSession(t, { scope });
      await refusesSession(t, { scope }, "RATE_LIMITED");
    },
  },
});

interface Reconnect extends Connected {
  readonly returnUrl: string;
}

const UNCHANGED_MS = 3_000;

/** What would end an attempt before its deadline, with another status. */
const LATE_EVENTS: Readonly<Record<string, (t: CaseContext, reconnect: Reconnect) => Promise<unknown>>> = {
  "its connection is disconnected": (t, connected) => disconnect(t, connected),
  "a newer attempt is launched": async (t, { scope, connectionId }) => {
    const newer = await createSession(t, { scope, reconnectConnectionId: connectionId });
    t.equal((await postLaunch(t, newer)).status, 303, "the newer attempt is launched");
  },
  "its application is disabled": async (t) => {
    await t.driver("operator").setEnabled(t.application, false);
    await t.driver("operator").setEnabled(t.application, true);
  },
  "its return URL is removed": async (t, { returnUrl }) => {
    const id = await t.driver("operator").clientId(t.application);
    await t.admin.get("removeClientReturnUrl", { id, url: returnUrl });
  },
};

export const OVERDUE_ATTEMPT_CASES = defineCases(
  caseForEach(Object.entries(LATE_EVENTS), ([what, happens]) => ({
    id: `S8.connect-deadline.before-${what.replaceAll(" ", "-")}`,
    title: `An expired attempt stays EXPIRED when ${what}, whether it was CREATED or AUTHORIZING.`,
    lane: "timeline",
    needs: ["clock", "provider", "operator", "admin"],
    reaches: [
      "limit:connect-deadline",
      "transition:attempt.CREATED.EXPIRED.DEADLINE_PASSED",
      "transition:attempt.AUTHORIZING.EXPIRED.DEADLINE_PASSED",
    ],
    run: async (t) => {
      const { scope, connectionId } = await connect(t);
      const returnUrl = `${t.application.returnUrl}?removed=late`;
      await t.driver("operator").addReturnUrl(t.application, returnUrl);
      const wanted = { scope, reconnectConnectionId: connectionId, returnUrl };
      const authorizing = await createSession(t, wanted);
      await launched(t, authorizing, t.browser());
      const created = await createSession(t, wanted);
      // A service may run its purge when its clock is moved, which expires the attempt: the last seconds pass in real
      // time.
      const deadline = new Date(created.expiresAt);
      await t.until(deadline, -UNCHANGED_MS);
      const now = () => serviceNow(t);
      await t.eventually("the deadline passes", now, (moment) => moment > deadline);
      await happens(t, { scope, connectionId, returnUrl });
      // A launch form that is posted now must not be rejected as already used.
      t.equal((await postLaunch(t, created)).status, 410, "the launch of the attempt that was CREATED");
      for (const { id } of [created, authorizing]) {
        ends(t, await resultOf(t, { scope, id }), "EXPIRED", "DEADLINE_PASSED");
      }
    },
  })),
);
