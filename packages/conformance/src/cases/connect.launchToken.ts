import { caseForEach, defineCases } from "../harness/defineCase.ts";
import { BURST, concurrently } from "./support/bursts.ts";
import { errorPage } from "./support/findings.ts";
import { createSession, postLaunch, resultOf } from "./support/journeys.ts";

export const LAUNCH_TOKEN_CASES = defineCases([
  {
    id: "S2.launchToken.once",
    title: "A launch token works once: a second post gets an error page with status 410.",
    reaches: ["transport:launch", "transport:error-pages"],
    run: async (t) => {
      const session = await createSession(t);
      t.equal((await postLaunch(t, session)).status, 303, "the first post");
      errorPage(t, await postLaunch(t, session), [410], "the second post");
    },
  },
  {
    id: "S2.launchToken.once-in-parallel",
    title: "Of 50 concurrent posts of one launch token exactly one is redirected.",
    holds: [BURST],
    reaches: ["transport:launch"],
    run: async (t) => {
      const session = await createSession(t);
      const visits = await concurrently(50, () => postLaunch(t, session));
      t.equal(visits.filter((visit) => visit.status === 303).length, 1, "redirects");
      t.equal(visits.filter((visit) => visit.status >= 500).length, 0, "failures");
    },
  },
  ...caseForEach(
    Object.entries({
      unknown: "0".repeat(64),
      empty: "",
      short: "abc",
      "upper-case": "token",
      long: "a".repeat(16_000),
      nul: "a\0b",
    }),
    ([name, token]) => ({
      id: `S2.launchToken.bad-${name}`,
      title: `An invalid launch token (${name}) gets an error page.`,
      run: async (t) => {
        const session = await createSession(t);
        const launchToken = name === "upper-case" ? session.launchToken.toUpperCase() : token;
        if (launchToken === session.launchToken) return t.holds(true, "a token of digits has no upper case");
        errorPage(t, await postLaunch(t, { ...session, launchToken }), [400, 403, 404, 410, 413], name);
      },
    }),
  ),
  {
    id: "S2.launchToken.not-by-get",
    title: "A launch token in a URL, or in a GET, launches nothing.",
    run: async (t) => {
      const session = await createSession(t);
      const query = `?launchToken=${session.launchToken}`;
      const byGet = await t.browser().get(session.launchUrl + query);
      const byQuery = await t.browser().post(session.launchUrl + query, {}, t.application.webOrigin);
      for (const visit of [byGet, byQuery]) t.holds(visit.status >= 400 && visit.status < 500, "refused", visit.status);
      t.equal((await resultOf(t, session)).status, "CREATED", "the attempt is unchanged");
    },
  },
]);
