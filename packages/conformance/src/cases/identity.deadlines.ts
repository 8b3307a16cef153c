import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import { launched, postLaunch } from "./support/attempts.ts";
import { concurrently, errorPage } from "./support/findings.ts";
import {
  createIdentity,
  endsWithoutIdentity,
  identityInput,
  launchedIdentity,
  proofOf,
  redeem,
  signedIn,
} from "./support/identities.ts";

/** Time for a few calls between the time of a wait and the deadline after it. */
const MARGIN_MS = 20_000;

export const IDENTITY_DEADLINE_CASES = defineCasesWith({ lane: "timeline", needs: ["clock", "identity"] })({
  ...caseForEach(["created", "launched"], (how) => ({
    id: `S8.identity-deadline.${how}`,
    title: `A session that was only ${how} is PENDING until 10 minutes after creation, then EXPIRED, which consumes the proof.`,
    reaches: [
      "limit:identity-deadline",
      "transition:identity.PENDING.EXPIRED",
      "enum:IdpIdentityStatus.PENDING",
      "field:IdpIdentityResult.null",
      "rule:redeem.second",
    ],
    run: async (t) => {
      const session = await createIdentity(t);
      if (how === "launched") await launched(t, session, t.browser());
      await t.until(session.expiresAt, -MARGIN_MS);
      t.equal((await redeem(t, session)).status, "PENDING", "shortly before the deadline");
      await t.until(session.expiresAt, 1_000);
      await endsWithoutIdentity(t, session, "EXPIRED");
    },
  })),
  "S8.identity-deadline.launch": {
    title: "A launch form posted after the deadline gets an error page; before it, it is accepted.",
    reaches: ["limit:identity-deadline", "transport:error-pages"],
    run: async (t) => {
      const [early, late] = [await createIdentity(t), await createIdentity(t)];
      await t.until(early.expiresAt, -MARGIN_MS);
      t.equal((await postLaunch(t, early)).status, 303, "shortly before the deadline");
      await t.until(late.expiresAt, 1_000);
      errorPage(t, await postLaunch(t, late), [410], "after the deadline");
      await endsWithoutIdentity(t, late, "EXPIRED");
    },
  },
  "S8.identity-deadline.callback": {
    title: "A callback after the deadline gets an error page, and the session is EXPIRED.",
    reaches: ["limit:identity-deadline", "transport:error-pages"],
    run: async (t) => {
      const [early, late] = [await launchedIdentity(t), await launchedIdentity(t)];
      const issuer = t.driver("identity");
      await t.until(early.session.expiresAt, -MARGIN_MS);
      await early.browser.get(await issuer.signIn(early.page, { person: "ada" }));
      const callback = await issuer.signIn(late.page, { person: "ada" });
      await t.until(late.session.expiresAt, 1_000);
      errorPage(t, await late.browser.get(callback), [410], "after the deadline");
      await endsWithoutIdentity(t, late.session, "EXPIRED");
      t.equal((await redeem(t, early.session)).status, "COMPLETED", "the callback that was in time");
    },
  },
  "S8.identity-deadline.makes-room": {
    title: "Expired sessions no longer count against the 20.",
    needs: ["clock", "operator"],
    reaches: ["limit:unfinished-identities"],
    run: async (t) => {
      const sessions = await concurrently(20, () => createIdentity(t));
      const deadlines = sessions.map((session) => session.expiresAt).sort();
      const [oldest = "", newest = ""] = [deadlines[0], deadlines.at(-1)];
      const input = identityInput(t);
      await t.until(oldest, -MARGIN_MS);
      const refused = await t.refuses("createIdpIdentitySession", { input }, "RATE_LIMITED");
      const seconds = refused.retryAfterSeconds ?? 0;
      const isAtDeadline = seconds >= 1 && seconds <= MARGIN_MS / 1_000;
      t.holds(isAtDeadline, "retryAfterSeconds ends at the oldest session's deadline", seconds);
      await t.until(newest, 1_000);
      const outcomes = await concurrently(40, () => t.call("createIdpIdentitySession", { input }));
      t.equal(outcomes.filter((outcome) => outcome.ok).length, 20, "20 new sessions are possible");
    },
  },
  "S8.identity-readability": {
    title: "Every result is available until 20 minutes after creation and then NOT_FOUND.",
    reaches: ["limit:identity-readability", "enum:IdpIdentityStatus.COMPLETED", "enum:IdpIdentityStatus.EXPIRED"],
    run: async (t) => {
      const [inTime, tooLate] = [await signedIn(t), await signedIn(t)];
      const [expiredInTime, expiredTooLate] = [await createIdentity(t), await createIdentity(t)];
      await t.until(inTime.resultExpiresAt, -MARGIN_MS);
      t.equal((await redeem(t, inTime)).status, "COMPLETED", "a result, shortly before");
      t.equal((await redeem(t, expiredInTime)).status, "EXPIRED", "an unfinished session, shortly before");
      await t.until(expiredTooLate.resultExpiresAt, 1_000);
      await t.refuses("redeemIdpIdentityResult", proofOf(t, tooLate), "NOT_FOUND", "a result, after 20 minutes");
      await t.refuses("redeemIdpIdentityResult", proofOf(t, expiredTooLate), "NOT_FOUND", "an unfinished session");
    },
  },
});
