import type { IdpIdentityStatus } from "@social-connect/contract";
import { hasPassed } from "@social-connect/domain";
import { isUserName, signInIsDenied, userAt } from "../issuer/users.ts";
import { end, startIdentity } from "../modules/identity/identitySessions.ts";
import type { IdentityAttempt } from "../state/state.ts";
import { found, MockMisuseError, notNow } from "../util/misuse.ts";
import type { World } from "../world/world.ts";

/** The state of an identity session, without its proof. */
export interface IdentityAttemptView {
  /** The identity session's id. */
  readonly id: string;
  /** The status that redeeming would return. */
  readonly status: IdpIdentityStatus;
  /** The proof has been used. */
  readonly isRedeemed: boolean;
}

/** Controls an identity session in place of the user and the browser. */
export class IdentityControl {
  readonly #world: World;
  readonly #id: string;

  constructor(world: World, id: string) {
    this.#world = world;
    this.#id = id;
    this.#attempt();
  }

  /** The current state of the session. Reading it does not redeem the result. */
  get state(): IdentityAttemptView {
    const { id, status, redeemedAt } = this.#attempt();
    return { id, status, isRedeemed: redeemedAt !== null };
  }

  /** A user signs in. A name that is not a listed user has a verified email address. */
  signIn(person: string = "ada"): IdentityAttemptView {
    if (typeof person !== "string" || !isUserName(person))
      throw new MockMisuseError(`${JSON.stringify(person)} is not a user name. Use letters, digits, dots and hyphens.`);
    const attempt = this.#launched("be completed");
    if (signInIsDenied(person)) end(this.#world, attempt, "ACCESS_DENIED");
    else end(this.#world, attempt, "SIGNED_IN", userAt(this.#world.settings.issuerUrl, person));
    return this.state;
  }

  /** The user declines: DENIED. */
  deny(): IdentityAttemptView {
    end(this.#world, this.#launched("be denied"), "ACCESS_DENIED");
    return this.state;
  }

  /** The identity provider or the exchange fails: FAILED. */
  fail(): IdentityAttemptView {
    end(this.#world, this.#launched("fail"), "HANDOFF_FAILED");
    return this.state;
  }

  /** Advances the clock to the deadline: the session is EXPIRED. */
  async expire(): Promise<IdentityAttemptView> {
    const attempt = this.#pending("expire");
    await this.#world.advanceTo(attempt.expiresAt.getTime());
    if (attempt.status === "PENDING") end(this.#world, attempt, "DEADLINE_PASSED");
    return this.state;
  }

  #attempt(): IdentityAttempt {
    return found(this.#world.state.identityAttempts, this.#id, "identity session");
  }

  #pending(wanted: string): IdentityAttempt {
    this.#world.catchUp();
    const attempt = this.#attempt();
    if (attempt.status !== "PENDING") throw notNow("identity session", attempt.status, wanted, []);
    if (hasPassed(attempt.expiresAt, this.#world.now())) throw notNow("identity session", "overdue", wanted, []);
    return attempt;
  }

  #launched(wanted: string): IdentityAttempt {
    const attempt = this.#pending(wanted);
    const application = found(this.#world.state.applications, attempt.applicationId, "application");
    if (attempt.launchedAt === null) startIdentity(this.#world, attempt, application);
    attempt.isStateUsed = true;
    return attempt;
  }
}
