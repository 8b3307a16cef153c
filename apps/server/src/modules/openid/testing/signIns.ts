import { beginSignIn } from "../../admin-sessions/beginSignIn.ts";
import { completeSignIn } from "../../admin-sessions/completeSignIn.ts";
import { completeIdentity } from "../../identity/completeIdentity.ts";
import { launchIdentity } from "../../identity/launchIdentity.ts";
import { redeemIdentityResult } from "../../identity/redeemIdentityResult.ts";
import { ORIGIN, type TestApplication } from "../../testing/builders.ts";
import { startIdentity } from "../../testing/calls.ts";
import type { TestService } from "../../testing/testService.ts";
import type { ForgingIssuer } from "./forgingIssuer.ts";

/** The result of an identity handoff, and the URL of the sign-in page; null when the page was unavailable. */
export async function handOff(service: TestService, application: TestApplication, issuer: ForgingIssuer) {
  const session = await startIdentity(service, application);
  const launched = await launchIdentity(service, { launchToken: session.launchToken.reveal(), origin: ORIGIN });
  if (launched.outcome !== "redirect") return { page: null, result: null };
  const { browserSecret, location: page } = launched;
  const query = answerTo(page, issuer);
  await completeIdentity(service, { query, browserSecretOf: () => browserSecret.reveal() });
  const { id, resultProof } = session;
  const proof = { id, tenantKey: application.tenantKey, resultProof: resultProof.reveal() };
  return { page, result: await redeemIdentityResult(service, application.caller, proof) };
}

export async function signInToPanel(service: TestService, issuer: ForgingIssuer) {
  const begun = await beginSignIn(service, { session: null, returnPath: "/panel" });
  if (begun === null) return { outcome: "unavailable" as const };
  const query = answerTo(begun.location, issuer);
  return completeSignIn(service, { query, browserSecretOf: () => begun.browserSecret.reveal() });
}

function answerTo(page: URL, issuer: ForgingIssuer): URLSearchParams {
  return new URLSearchParams({ code: issuer.consent(page), state: page.searchParams.get("state") ?? "" });
}
