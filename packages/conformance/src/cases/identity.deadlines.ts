import { concurrently } from "../context/findings.ts";
import { MARGIN_MS } from "../context/jobs.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";

export const IDENTITY_DEADLINE_CASES = defineCasesWith({ lane: "timeline", needs: ["clock", "identity"] })({
  ...caseForEach(["created", "launched"], (how) => ({
    id: `S8.identity-deadline.${how}`,
    title: `A session that was only ${how} is PENDING until 10 minutes after creation, then EXPIRED, which consumes the proof.`,
    run: async (t) => {
      const session = await t.createIdentity();
      if (how === "launched") await t.launched(session, t.browser());
      await t.until(session.expiresAt, -MARGIN_MS);
      t.equal((await t.redeem(session)).status, "PENDING", "shortly before the deadline");
      await t.until(session.expiresAt, 1_000);
      await t.endsWithoutIdentity(session, "EXPIRED");
    },
  })),
  "S8.identity-deadline.launch": {
    title: "A launch form posted after the deadline gets an error page; before it, it is accepted.",
    run: async (t) => {
      const [early, late] = [await t.createIdentity(), await t.createIdentity()];
      await t.until(early.expiresAt, -MARGIN_MS);
      t.equal((await t.postLaunch(early)).status, 303, "shortly before the deadline");
      await t.until(late.expiresAt, 1_000);
      t.errorPage(await t.postLaunch(late), [410], "after the deadline");
      await t.endsWithoutIdentity(late, "EXPIRED");
    },
  },
  "S8.identity-deadline.callback": {
    title: "A callback after the deadline gets an error page, and the session is EXPIRED.",
    run: async (t) => {
      const [early, late] = [await t.launchedIdentity(), await t.launchedIdentity()];
      const issuer = t.driver("identity");
      await t.until(early.session.expiresAt, -MARGIN_MS);
      await early.browser.get(await issuer.signIn(early.page, { person: "ada" }));
      const callback = await issuer.signIn(late.page, { person: "ada" });
      await t.until(late.session.expiresAt, 1_000);
      t.errorPage(await late.browser.get(callback), [410], "after the deadline");
      await t.endsWithoutIdentity(late.session, "EXPIRED");
      t.equal((await t.redeem(early.session)).status, "COMPLETED", "the callback that was in time");
    },
  },
  "S8.identity-deadline.makes-room": {
    title: "Expired sessions no longer count against the 20.",
    needs: ["clock", "operator"],
    run: async (t) => {
      const sessions = await concurrently(20, () => t.createIdentity());
      const deadlines = sessions.map((session) => session.expiresAt).sort();
      const [oldest = "", newest = ""] = [deadlines[0], deadlines.at(-1)];
      const input = t.identityInput();
      await t.until(oldest, -MARGIN_MS);
      const refused = await t.refuses("createIdpIdentitySession", { input }, "RATE_LIMITED");
      const seconds = refused.retryAfterSeconds ?? 0;
      const isAtDeadline = seconds >= 1 && seconds <= MARGIN_MS / 1_000;
      t.holds(isAtDeadline, "retryAfterSeconds ends at the oldest session's deadline", seconds);
      await t.until(newest, 1_000);
      const created = await concurrently(40, () => t.call("createIdpIdentitySession", { input }));
      t.exactly(20, created, ["RATE_LIMITED"]);
    },
  },
  "S8.identity-readability": {
    title: "Every result is available until 20 minutes after creation and then NOT_FOUND.",
    run: async (t) => {
      const [inTime, tooLate] = [await t.signedIn(), await t.signedIn()];
      const [expiredInTime, expiredTooLate] = [await t.createIdentity(), await t.createIdentity()];
      await t.until(inTime.resultExpiresAt, -MARGIN_MS);
      t.equal((await t.redeem(inTime)).status, "COMPLETED", "a result, shortly before");
      t.equal((await t.redeem(expiredInTime)).status, "EXPIRED", "an unfinished session, shortly before");
      await t.until(expiredTooLate.resultExpiresAt, 1_000);
      await t.refuses("redeemIdpIdentityResult", t.proofOf(tooLate), "NOT_FOUND", "a result, after 20 minutes");
      await t.refuses("redeemIdpIdentityResult", t.proofOf(expiredTooLate), "NOT_FOUND", "an unfinished session");
    },
  },
});
