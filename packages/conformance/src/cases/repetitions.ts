import { concurrently } from "../context/findings.ts";
import { defineCases } from "../harness/defineCase.ts";
import type { RequestOptions } from "../wire/call.ts";

/** A call whose repetitions the service recognizes. */
function keyed(key: string = crypto.randomUUID()): RequestOptions {
  return { headers: { "x-social-connect-idempotency-key": key } };
}

export const REPETITION_CASES = defineCases({}, (test) => {
  test("S4.createConnectSession.repeated: A repeated createConnectSession with the same idempotency key returns the same attempt, which counts once; another input or application gets its own.", async (t) => {
    const [input, options] = [t.connectInput(), keyed()];
    const first = t.value(await t.call("createConnectSession", { input }, options));
    const others = await concurrently(10, () => t.call("createConnectSession", { input }, options));
    for (const other of others) t.equal(t.value(other), first, "a repetition");

    const { scope } = input;
    for (const fields of [{ scope, provider: "PROVIDER_B" }, { scope, capabilities: ["PROFILE"] }, {}] as const) {
      const other = t.connectInput(fields);
      const created = t.value(await t.call("createConnectSession", { input: other }, options));
      t.holds(created.id !== first.id && created.launchToken !== first.launchToken, "another input");
    }
    const application = await t.anotherApplication();
    const theirInput = { ...input, returnUrl: application.returnUrl };
    const caller = t.caller(application.key);
    const theirs = t.value(await t.callWith(caller, "createConnectSession", { input: theirInput }, options));
    t.holds(theirs.id !== first.id && theirs.launchToken !== first.launchToken, "another application");

    for (let count = 0; count < 3; count += 1)
      t.value(await t.call("createConnectSession", { input }, count === 0 ? {} : keyed()), "another call");
    t.fails(await t.call("createConnectSession", { input }, keyed()), "RATE_LIMITED", "the sixth");
    t.equal(t.value(await t.call("createConnectSession", { input }, options)), first, "a repetition at the limit");
    t.equal((await t.postLaunch(first)).status, 303, "the token of the repetition is valid");
    t.equal((await t.postLaunch(first)).status, 410, "once");
  }).with({ needs: ["operator"] });
  test("S4.createConnectSession.malformed-key: An idempotency key that is not a UUID is ignored.", async (t) => {
    const input = t.connectInput();
    for (const key of ["1", "x".repeat(2_000), `${crypto.randomUUID()}, ${crypto.randomUUID()}`]) {
      const one = t.value(await t.call("createConnectSession", { input }, keyed(key)));
      const two = t.value(await t.call("createConnectSession", { input: t.connectInput() }, keyed(key)));
      t.holds(one.id !== two.id, "each call creates an attempt");
    }
  });
  test("S4.createIdpIdentitySession.repeated: A createIdpIdentitySession repeated with its idempotency key returns the same session, which counts once.", async (t) => {
    const [input, options] = [t.identityInput(), keyed()];
    const outcomes = await concurrently(25, () => t.call("createIdpIdentitySession", { input }, options));
    const [first, ...others] = outcomes.map((outcome) => t.value(outcome));
    for (const other of others) t.equal(other, first, "a repetition");
    t.holds((await t.createIdentity()).resultProof !== first?.resultProof, "a call without the key");
    const application = await t.anotherApplication();
    const theirInput = { ...input, returnUrl: application.identityReturnUrl };
    const caller = t.caller(application.key);
    const theirs = await t.callWith(caller, "createIdpIdentitySession", { input: theirInput }, options);
    t.holds(t.value(theirs).id !== first?.id, "another application");
  }).with({ needs: ["operator", "identity"] });
  test("S4.redeemIdpIdentityResult.repeated: A redeem repeated with its idempotency key returns the result again; any other second one is NOT_FOUND.", async (t) => {
    const [session, options] = [await t.createIdentity(), keyed()];
    const pending = await t.call("redeemIdpIdentityResult", t.proofOf(session), options);
    t.equal(t.value(pending).status, "PENDING", "before the sign-in");
    const proof = t.proofOf(await t.signedIn());
    const outcomes = await concurrently(10, () => t.call("redeemIdpIdentityResult", proof, options));
    const [first, ...others] = outcomes.map((outcome) => t.value(outcome));
    t.equal(first?.status, "COMPLETED", "the redeem");
    for (const other of others) t.equal(other, first, "a repetition");

    for (const other of [undefined, keyed()])
      t.fails(await t.call("redeemIdpIdentityResult", proof, other), "NOT_FOUND", "another redeem");
    const wrong = { ...proof, resultProof: "0".repeat(64) };
    t.fails(await t.call("redeemIdpIdentityResult", wrong, options), "NOT_FOUND", "a wrong proof");
    const application = await t.anotherApplication();
    const theirs = await t.callWith(t.caller(application.key), "redeemIdpIdentityResult", proof, options);
    t.fails(theirs, "NOT_FOUND", "another application");
    const denied = t.proofOf(await t.signedIn({ person: "ada", decision: "deny" }));
    for (const what of ["a redeem without a user", "its repetition"])
      t.equal(t.value(await t.call("redeemIdpIdentityResult", denied, options)).status, "DENIED", what);
  }).with({ needs: ["operator", "identity"] });
  test("S4.redeemIdpIdentityResult.repeated-late: A minute after a redeem, a repetition with its idempotency key is NOT_FOUND.", async (t) => {
    const [proof, options] = [t.proofOf(await t.signedIn()), keyed()];
    const redeemedAt = await t.driver("clock").now();
    const first = t.value(await t.call("redeemIdpIdentityResult", proof, options));
    t.equal(t.value(await t.call("redeemIdpIdentityResult", proof, options)), first, "a repetition");
    await t.until(redeemedAt, 120_000);
    t.fails(await t.call("redeemIdpIdentityResult", proof, options), "NOT_FOUND", "two minutes later");
  }).with({ lane: "timeline", needs: ["clock", "identity"] });
});
