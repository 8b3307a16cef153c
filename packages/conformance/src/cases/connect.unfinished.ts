import { PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCases } from "../harness/defineCase.ts";
import { connectInput, createSession, refusesSession, walkThrough } from "./support/attempts.ts";
import { BURST, concurrently } from "./support/bursts.ts";

export const UNFINISHED_CASES = defineCases([
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S8.unfinished-connects.exact-${provider}`,
    title: `Of 40 concurrent attempts of one subject at ${provider} exactly 5 succeed; others are not affected.`,
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
  {
    id: "S8.unfinished-connects.finished-do-not-count",
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
]);
