import type { CaseContext } from "../harness/context.ts";
import { caseForEach, defineCases } from "../harness/defineCase.ts";
import { createSession, launched, postLaunch, resultOf } from "./support/attempts.ts";
import { type Connected, connect } from "./support/connections.ts";
import { disconnect } from "./support/disconnects.ts";
import { ends } from "./support/findings.ts";
import { serviceNow } from "./support/windows.ts";

interface Reconnect extends Connected {
  readonly returnUrl: string;
}

const UNMOVED_MS = 3_000;

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
      await t.until(deadline, -UNMOVED_MS);
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
