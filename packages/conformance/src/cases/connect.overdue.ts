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

const MOST_RECENT = 2_000;
/** As many as the limit of a document's cost allows. */
const ATTEMPTS_PER_DOCUMENT = 8;

/** Starts so many attempts of different subjects. */
async function startAttempts(t: CaseContext, count: number): Promise<void> {
  for (let left = count; left > 0; left -= ATTEMPTS_PER_DOCUMENT) {
    const names = Array.from({ length: Math.min(left, ATTEMPTS_PER_DOCUMENT) }, (_, index) => `a${index}`);
    const declared = names.map((name) => `$${name}: ConnectInput!`);
    const fields = names.map((name) => `${name}: createConnectSession(input: $${name}) { id }`);
    const variables = Object.fromEntries(names.map((name) => [name, connectInput(t)]));
    const answer = await t.api.graphql(`mutation (${declared.join(", ")}) { ${fields.join(" ")} }`, variables);
    t.equal(answer.body?.errors, undefined, "the attempts are created");
  }
}

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
  "S8.recent-connects": {
    title: "An application that has started 2,000 attempts within 10 minutes starts no other, and is told until when.",
    needs: ["operator", "storage"],
    holds: [BURST],
    reaches: ["limit:recent-connects"],
    run: async (t) => {
      const startedAt = await serviceNow(t);
      const first = await createSession(t);
      const { repeatAttempt } = t.driver("storage");
      await (repeatAttempt?.(first.id, MOST_RECENT - 2) ?? startAttempts(t, MOST_RECENT - 2));
      await createSession(t);
      const refusal = await refusesSession(t, {}, "RATE_LIMITED");
      const retryAtMs = (await serviceNow(t)).getTime() + (refusal.retryAfterSeconds ?? 0) * 1_000;
      t.near(
        retryAtMs,
        startedAt.getTime() + 600_000,
        30_000,
        "retryAfterSeconds ends at the oldest attempt's deadline",
      );
      t.matches(refusal.message, /2000 in 10 minutes/, "the message");
      const other = await t.anotherApplication();
      const scope = t.scope(other.tenantKeys[0]);
      const input = { ...connectInput(t, { scope }), returnUrl: other.returnUrl };
      t.value(
        await t.callWith(t.caller(other.key, other.baseUrl), "createConnectSession", { input }),
        "another application",
      );
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
