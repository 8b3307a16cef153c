import type { IdpIdentityStatus } from "@social-connect/contract";
import { hasPassed } from "@social-connect/domain";
import { declines, isPersonName, personAt } from "../issuer/users.ts";
import { end } from "../modules/identity/completeIdentity.ts";
import { startIdentity } from "../modules/identity/launchIdentity.ts";
import type { IdentityAttempt } from "../state/state.ts";
import { found, MockMisuseError, notNow } from "../util/misuse.ts";
import type { World } from "../world/world.ts";

/** What a test sees of an identity session: nothing of its proof. */
export interface IdentityAttemptView {
  /** The identity session's id. */
  readonly id: string;
  /** As redeeming would give it. */
  readonly status: IdpIdentityStatus;
  /** The result was handed out, and the proof with it. */
  readonly isRedeemed: boolean;
}

/** Drives one identity session in place of the person and the browser. */
export class IdentityControl {
  readonly #world: World;
  readonly #id: string;

  constructor(world: World, id: string) {
    this.#world = world;
    this.#id = id;
    this.#attempt();
  }

  /** The session as it stands; nothing is redeemed by looking. */
  get state(): IdentityAttemptView {
    const { id, status, redeemedAt } = this.#attempt();
    return { id, status, isRedeemed: redeemedAt !== null };
  }

  /** Somebody signs in; any name is somebody with a verified e-mail address, and some have stories of their own. */
  signIn(person: string = "ada"): IdentityAttemptView {
    if (typeof person !== "string" || !isPersonName(person))
      throw new MockMisuseError(
        `${JSON.stringify(person)} is no name of a person: letters, digits, dots and hyphens will do.`,
      );
    const attempt = this.#launched("be completed");
    if (declines(person)) end(attempt, "ACCESS_DENIED");
    else end(attempt, "SIGNED_IN", personAt(this.#world.settings.issuerUrl, person));
    return this.state;
  }

  /** The person declines: DENIED. */
  deny(): IdentityAttemptView {
    end(this.#launched("be denied"), "ACCESS_DENIED");
    return this.state;
  }

  /** The identity provider or the exchange fails: FAILED. */
  fail(): IdentityAttemptView {
    end(this.#launched("fail"), "HANDOFF_FAILED");
    return this.state;
  }

  /** Lets the 10 minutes pass that the person has: the session is EXPIRED. */
  async expire(): Promise<IdentityAttemptView> {
    const attempt = this.#pending("expire");
    await this.#world.advanceTo(attempt.expiresAt.getTime());
    if (attempt.status === "PENDING") end(attempt, "DEADLINE_PASSED");
    return this.state;
  }

  #attempt(): IdentityAttempt {
    return found(this.#world.state.identityAttempts, this.#id, "identity session");
  }

  #pending(wanted: string): IdentityAttempt {
    this.#world.catchUp();
    const attempt = this.#attempt();
    if (attempt.status !== "PENDING") throw notNow("identity session", attempt.status, wanted, []);
    if (hasPassed(attempt.expiresAt, this.#world.now()))
      throw notNow("identity session", "past its deadline", wanted, []);
    return attempt;
  }

  #launched(wanted: string): IdentityAttempt {
    const attempt = this.#pending(wanted);
    const application = found(this.#world.state.applications, attempt.applicationId, "application");
    if (attempt.launchedAt === null) startIdentity(this.#world, attempt, application);
    attempt.stateSpent = true;
    return attempt;
  }
}
