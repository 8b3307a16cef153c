import type { IdpIdentityInput, IdpIdentitySession, Operations } from "../_generated/consumerWire.ts";
import type { SignInChoice } from "../target/target.ts";
import type { OperationName } from "../wire/documents.ts";
import { EventSteps } from "./events.ts";
import { SOME_POST } from "./jobs.ts";

export type { Connected } from "./connections.ts";

const FORBIDDEN = ["createConnectSession", "createIdpIdentitySession", "connectSessionResult", "connections"];

/** The code of an operation for a tenant that the application does not have, as decided on the decisions page. */
export function unregisteredTenant(name: OperationName): "FORBIDDEN" | "NOT_FOUND" {
  return FORBIDDEN.includes(name) ? "FORBIDDEN" : "NOT_FOUND";
}

const NO_PERSON = { issuer: null, idpSub: null, email: null, emailVerified: null, name: null };
export const NO_IDENTITY = { ...NO_PERSON, pictureUrl: null };

const SOME_ID = "5f0d2a34-1111-4222-8333-0123456789ab";

/** The callback of an issuer that answers the request of its page with these parameters. */
export function issuerCallback(page: string, parameters: Readonly<Record<string, string>>): URL {
  const { searchParams } = new URL(page);
  const callback = new URL(searchParams.get("redirect_uri") ?? "");
  for (const [name, value] of Object.entries({ state: searchParams.get("state") ?? "", ...parameters }))
    callback.searchParams.set(name, value);
  return callback;
}

/** The same arguments with one value replaced. */
export function withValue(args: unknown, [head, ...rest]: readonly string[], value: unknown): unknown {
  if (head === undefined) return value;
  const record = (args ?? {}) as Record<string, unknown>;
  return { ...record, [head]: withValue(record[head], rest, value) };
}

/** What a case works with: its context, and the steps that cases share. */
export class Steps extends EventSteps {
  identityInput(fields: Partial<IdpIdentityInput> = {}): IdpIdentityInput {
    return { tenantKey: this.application.tenantKeys[0], returnUrl: this.application.identityReturnUrl, ...fields };
  }

  createIdentity(fields?: Partial<IdpIdentityInput>): Promise<IdpIdentitySession> {
    return this.get("createIdpIdentitySession", { input: this.identityInput(fields) });
  }

  refusesIdentity(fields: Partial<IdpIdentityInput>, code: string, what?: string) {
    return this.refuses("createIdpIdentitySession", { input: this.identityInput(fields) }, code, what);
  }

  async signedIn(choice: SignInChoice = { person: "ada" }): Promise<IdpIdentitySession> {
    const session = await this.createIdentity();
    await this.walkThrough(session, choice);
    return session;
  }

  proofOf({ id, resultProof }: IdpIdentitySession) {
    return { id, tenantKey: this.application.tenantKeys[0], resultProof };
  }

  redeem(session: IdpIdentitySession) {
    return this.get("redeemIdpIdentityResult", this.proofOf(session));
  }

  /** The only redeem that returns this status, without personal data, and consumes the proof. */
  async endsWithoutIdentity(session: IdpIdentitySession, status: string): Promise<void> {
    this.equal(await this.redeem(session), { status, ...NO_IDENTITY }, "the result");
    await this.refuses("redeemIdpIdentityResult", this.proofOf(session), "NOT_FOUND", "the second redeem");
  }

  async launchedIdentity() {
    return this.launchedIn(await this.createIdentity());
  }

  /** Another application, with the same tenant keys, does not find what this one has. */
  async refusesOtherApplication(name: OperationName, args: unknown, code = "NOT_FOUND"): Promise<void> {
    const other = await this.anotherApplication();
    this.fails(await this.callWith(this.caller(other.key), name, args), code, `${name} by another application`);
  }

  /** Valid arguments for every operation; the objects that they name need not exist. */
  validArguments(scope = this.scope(), connectionId = SOME_ID): { [Name in OperationName]: Operations[Name]["args"] } {
    const window = { publishedAfter: "2026-01-01T00:00:00.000Z", publishedBefore: "2026-02-01T00:00:00.000Z" };
    return {
      status: {},
      integrationReadiness: {},
      connectSessionResult: { scope, id: SOME_ID },
      connection: { scope, id: connectionId },
      connections: { scope },
      content: { scope, connectionId, window: { ...window, first: 10 } },
      contentItem: { scope, connectionId, providerContentId: "post" },
      syncJob: { scope, connectionId, id: SOME_ID },
      createConnectSession: { input: this.connectInput({ scope }) },
      disconnectConnection: { scope, connectionId },
      requestRefresh: { scope, connectionId, window },
      requestContentLookup: { scope, connectionId, url: SOME_POST },
      createIdpIdentitySession: { input: this.identityInput({ tenantKey: scope.tenantKey }) },
      redeemIdpIdentityResult: { id: SOME_ID, tenantKey: scope.tenantKey, resultProof: "0".repeat(64) },
    };
  }

  /** These arguments are refused as bad input, or with another of these codes, and never fail internally. */
  async refusesValue(name: OperationName, args: unknown, what: string, codes: readonly string[] = ["BAD_USER_INPUT"]) {
    const outcome = await this.callWith(this.api, name, args);
    this.oneOf(outcome.ok ? "a response" : outcome.code, codes, `${name}: ${what}`);
    this.holds(outcome.answer.status < 500, "no status of 500 or more", outcome.answer.status);
  }
}
