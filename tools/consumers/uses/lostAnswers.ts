import {
  type CallOptions,
  type Hooks,
  SocialConnect,
  type SocialConnectOptions,
  TransportError,
} from "@social-connect/sdk";
import { withOpenTelemetry } from "@social-connect/sdk/opentelemetry";

/** How a call ended whose connection ended without an answer. */
export interface LostAnswer {
  readonly operation: string;
  /** Whether an answered request came just before, on a reused connection. */
  readonly isPooled: boolean;
  /** The requests that the SDK says it sent. */
  readonly attempts: number;
  readonly mayHaveBeenSent: boolean | null;
}

/** Makes each call with and without traces: on a fresh connection, and on a reused one. */
export async function loseAnswers(urls: readonly string[], key: string): Promise<readonly LostAnswer[]> {
  const outcomes: LostAnswer[] = [];
  for (const baseUrl of urls) {
    for (const complete of [(options: SocialConnectOptions) => options, withOpenTelemetry]) {
      outcomes.push(...(await loseThrough((hooks) => new SocialConnect(complete({ baseUrl, key, hooks })))));
    }
  }
  return outcomes;
}

async function loseThrough(makeClient: (hooks: Hooks) => SocialConnect): Promise<readonly LostAnswer[]> {
  let attempts = 0;
  const count = () => {
    attempts += 1;
  };
  const social = makeClient({ onRequest: count });
  const user = social.forSubject({ tenantKey: "acme", externalSubjectId: "user-42" });
  const connect = {
    provider: "PROVIDER_A",
    capabilities: ["PROFILE"],
    returnUrl: "https://app.example.com/r",
  } as const;
  const identity = { tenantKey: "acme", returnUrl: "https://app.example.com/r" };
  const proof = { id: "i", tenantKey: "acme", resultProof: "ab".repeat(32) };
  const once: CallOptions = { retries: 0 };
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    createConnectSession: () => user.connect(connect),
    requestContentLookup: () => user.lookup("c", "https://video.example.com/1").start(),
    createIdpIdentitySession: () => social.createIdpIdentitySession(identity),
    redeemIdpIdentityResult: () => social.redeemIdpIdentity(proof),
    // These are repeated by the SDK itself, unless `retries` is 0.
    requestRefresh: () => user.refresh("c").start(once),
    disconnectConnection: () => user.disconnect("c", once),
  };
  const outcomes: LostAnswer[] = [];
  for (const [operation, call] of Object.entries(calls)) {
    for (const isPooled of [false, true]) {
      if (isPooled) {
        await social.readiness();
        // A runtime returns the connection to its pool in a later turn.
        await new Promise((resolve) => setTimeout(resolve));
      }
      attempts = 0;
      const error: unknown = await call().catch((failure: unknown) => failure);
      const mayHaveBeenSent = TransportError.is(error) ? error.mayHaveBeenSent : null;
      outcomes.push({ operation, isPooled, attempts, mayHaveBeenSent });
    }
  }
  return outcomes;
}
