import type { IdpIdentityInput, IdpIdentityResult, IdpIdentitySession } from "../_generated/consumerWire.ts";
import type { SignInChoice } from "../target/target.ts";
import { DisconnectSteps } from "./disconnects.ts";

export const NO_IDENTITY = {
  issuer: null,
  idpSub: null,
  email: null,
  emailVerified: null,
  name: null,
  pictureUrl: null,
};

/** The identity sign-in. */
export class IdentitySteps extends DisconnectSteps {
  identityInput(fields: Partial<IdpIdentityInput> = {}): IdpIdentityInput {
    return { tenantKey: this.application.tenantKeys[0], returnUrl: this.application.identityReturnUrl, ...fields };
  }

  createIdentity(fields?: Partial<IdpIdentityInput>): Promise<IdpIdentitySession> {
    return this.get("createIdpIdentitySession", { input: this.identityInput(fields) });
  }

  refusesIdentity(fields: Partial<IdpIdentityInput>, code: string, what?: string) {
    return this.refuses("createIdpIdentitySession", { input: this.identityInput(fields) }, code, what);
  }

  /** The identity handoff in a browser, to its return URL. */
  async signInThrough(session: IdpIdentitySession, choice: SignInChoice, browser = this.browser()) {
    const issuerPage = await this.launched(session, browser);
    const callback = await this.driver("identity").signIn(issuerPage, choice);
    return { callback, visit: await browser.get(callback) };
  }

  async signedIn(choice: SignInChoice = { person: "ada" }): Promise<IdpIdentitySession> {
    const session = await this.createIdentity();
    await this.signInThrough(session, choice);
    return session;
  }

  proofOf({ id, resultProof }: IdpIdentitySession) {
    return { id, tenantKey: this.application.tenantKeys[0], resultProof };
  }

  redeem(session: IdpIdentitySession): Promise<IdpIdentityResult> {
    return this.get("redeemIdpIdentityResult", this.proofOf(session));
  }

  /** The only redeem that returns this status, without personal data, and consumes the proof. */
  async endsWithoutIdentity(session: IdpIdentitySession, status: string): Promise<void> {
    this.equal(await this.redeem(session), { status, ...NO_IDENTITY }, "the result");
    await this.refuses("redeemIdpIdentityResult", this.proofOf(session), "NOT_FOUND", "the second redeem");
  }

  async launchedIdentity() {
    const [session, browser] = [await this.createIdentity(), this.browser()];
    return { session, browser, page: await this.launched(session, browser) };
  }
}
