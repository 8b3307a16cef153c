import type { IdpIdentityInput, IdpIdentityResult, IdpIdentitySession } from "../../_generated/consumerWire.ts";
import type { CaseContext } from "../../harness/context.ts";
import type { Browser } from "../../wire/browser.ts";
import { launched, type Return } from "./attempts.ts";

export function identityInput(t: CaseContext, fields: Partial<IdpIdentityInput> = {}): IdpIdentityInput {
  return { tenantKey: t.application.tenantKeys[0], returnUrl: t.application.identityReturnUrl, ...fields };
}

export function createIdentity(t: CaseContext, fields?: Partial<IdpIdentityInput>): Promise<IdpIdentitySession> {
  return t.get("createIdpIdentitySession", { input: identityInput(t, fields) });
}

export function refusesIdentity(t: CaseContext, fields: Partial<IdpIdentityInput>, code: string, what?: string) {
  return t.refuses("createIdpIdentitySession", { input: identityInput(t, fields) }, code, what);
}

/** The identity handoff in a browser, to its return URL. */
export async function signInThrough(
  t: CaseContext,
  session: IdpIdentitySession,
  choice: { readonly person: string; readonly decision?: "allow" | "deny" },
  browser: Browser = t.browser(),
): Promise<Return> {
  const issuerPage = await launched(t, session, browser);
  const callback = await t.driver("identity").signIn(issuerPage, choice);
  return { callback, visit: await browser.get(callback) };
}

export async function signedIn(
  t: CaseContext,
  choice: Parameters<typeof signInThrough>[2] = { person: "ada" },
): Promise<IdpIdentitySession> {
  const session = await createIdentity(t);
  await signInThrough(t, session, choice);
  return session;
}

export function proofOf(t: CaseContext, { id, resultProof }: IdpIdentitySession) {
  return { id, tenantKey: t.application.tenantKeys[0], resultProof };
}

export function redeem(t: CaseContext, session: IdpIdentitySession): Promise<IdpIdentityResult> {
  return t.get("redeemIdpIdentityResult", proofOf(t, session));
}

export const NO_IDENTITY = {
  issuer: null,
  idpSub: null,
  email: null,
  emailVerified: null,
  name: null,
  pictureUrl: null,
};

/** The only redeem that returns this status, without personal data, and consumes the proof. */
export async function endsWithoutIdentity(t: CaseContext, session: IdpIdentitySession, status: string): Promise<void> {
  t.equal(await redeem(t, session), { status, ...NO_IDENTITY }, "the result");
  await t.refuses("redeemIdpIdentityResult", proofOf(t, session), "NOT_FOUND", "the second redeem");
}

export async function launchedIdentity(t: CaseContext) {
  const [session, browser] = [await createIdentity(t), t.browser()];
  return { session, browser, page: await launched(t, session, browser) };
}
