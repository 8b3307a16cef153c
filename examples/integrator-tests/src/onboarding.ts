import {
  type LaunchPage,
  launchPage,
  RateLimitedError,
  type SettledConnectResult,
  type SocialConnect,
  type SocialProvider,
  type Subject,
  TimeoutError,
  TransportError,
} from "@social-connect/sdk";
import { CAPABILITIES, type Store } from "./store.ts";

export interface OnboardingParts {
  readonly social: SocialConnect;
  readonly store: Store;
  readonly tenantKey: string;
  readonly returnUrl: string;
  readonly now: () => number;
}

/** A page for the browser, or the reason why there is no page. */
export type Begun =
  | { readonly outcome: "away"; readonly page: LaunchPage }
  | { readonly outcome: "try-again" }
  | { readonly outcome: "later"; readonly seconds: number };

/** The message of the return page. */
export type Arrival =
  | "linked"
  | "not-decided"
  | "declined"
  | "nothing-allowed"
  | "other-account"
  | "not-invited"
  | "took-too-long"
  | "failed"
  | "nobody-left";

/** Takes creators to a provider's consent and back, and keeps what came of it. */
export class Onboarding {
  readonly #parts: OnboardingParts;

  constructor(parts: OnboardingParts) {
    this.#parts = parts;
  }

  /** A creator presses the button. One whose consent has ended connects the same account again. */
  async begin(creatorId: string, provider: SocialProvider): Promise<Begun> {
    const { store, returnUrl } = this.#parts;
    const { account } = store.read(creatorId);
    const isAgain = account?.state === "consent-needed" && account.provider === provider;
    const again = isAgain ? { reconnectConnectionId: account.connectionId } : {};
    try {
      const user = this.#subject(creatorId);
      const session = await user.connect({ provider, capabilities: CAPABILITIES, returnUrl, ...again });
      store.update(creatorId, { attempt: user.connectResult(session.id).toJSON() });
      return { outcome: "away", page: launchPage(session) };
    } catch (error) {
      // The attempt may have been created. No browser has its token, so it expires unused.
      if (TransportError.is(error)) return { outcome: "try-again" };
      if (RateLimitedError.is(error)) return { outcome: "later", seconds: error.retryAfterSeconds ?? 60 };
      throw error;
    }
  }

  /** The browser is back. What its address says is a hint at best; only the service knows. */
  async finish(creatorId: string): Promise<Arrival> {
    const { social, store, now } = this.#parts;
    const { attempt, account } = store.read(creatorId);
    if (attempt === null) return "nobody-left";
    const deadline = new Date(now() + PATIENCE_MS);
    const result = await social.resume(attempt).wait({ deadline }).catch(nullWhereLate);
    if (result === null) return "not-decided";
    store.update(creatorId, { attempt: null });
    if (result.status !== "COMPLETED") return arrivalOf(result);

    const { provider, profile } = await this.#subject(creatorId).connection(result.connectionId);
    const fresh = { posts: [], allPosts: false, tryAgainAt: null };
    const known = account?.connectionId === result.connectionId ? account : fresh;
    store.update(creatorId, {
      account: {
        ...fresh,
        ...known,
        provider: provider as SocialProvider,
        connectionId: result.connectionId,
        name: profile?.displayName ?? "Unnamed",
        state: "linked",
      },
    });
    return "linked";
  }

  #subject(creatorId: string): Subject {
    return this.#parts.social.forSubject({ tenantKey: this.#parts.tenantKey, externalSubjectId: creatorId });
  }
}

/** How long a return page keeps a browser waiting. */
const PATIENCE_MS = 20_000;

function nullWhereLate(error: unknown): null {
  if (TimeoutError.is(error)) return null;
  throw error;
}

const ARRIVALS: Readonly<Record<string, Arrival>> = {
  USER_DENIED: "declined",
  NO_CAPABILITY_GRANTED: "nothing-allowed",
  ACCOUNT_MISMATCH: "other-account",
  NOT_A_TESTER: "not-invited",
  DEADLINE_PASSED: "took-too-long",
};

function arrivalOf({ resultCode }: SettledConnectResult): Arrival {
  return ARRIVALS[resultCode ?? ""] ?? "failed";
}
