import type { Capability, RegistrationStatus, SocialProvider } from "@social-connect/contract";
import { CAPABILITIES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import type { RegistrationEvent } from "@social-connect/domain";
import { checkDistinct, moveRegistration } from "@social-connect/domain";
import type { Registration } from "../state/state.ts";
import { allowed, MockMisuseError, notNow, oneOf } from "../util/misuse.ts";
import type { World } from "../world/world.ts";
import { fieldsOf } from "./fields.ts";

const EVENTS = ["PUBLISH", "PAUSE", "DISABLE"] as const satisfies readonly RegistrationEvent[];

/** The service's registration at a provider, in place of its operator. It concerns every application. */
export class RegistrationControl {
  readonly #world: World;
  readonly #provider: SocialProvider;

  constructor(world: World, provider: SocialProvider) {
    this.#world = world;
    this.#provider = oneOf(provider, SOCIAL_PROVIDERS, "provider");
  }

  /** PUBLISHED at the beginning. */
  get status(): RegistrationStatus {
    return this.#registration().status;
  }

  /** It serves again. Throws a MockMisuseError where it cannot be published. */
  publish(): void {
    this.#move("PUBLISH");
  }

  /** Connections stay, and reading one says AUTHORIZATION_SUSPENDED. */
  pause(): void {
    this.#move("PAUSE");
  }

  /** It serves nobody any more: reading a connection says CAPABILITY_UNAVAILABLE. */
  disable(): void {
    this.#move("DISABLE");
  }

  /** Whether the registration serves every application, or none. */
  serve(served: boolean): void {
    fieldsOf({ served }, { served: "flag!" });
    Object.assign(this.#registration(), { allApplications: served, updatedAt: this.#world.now() });
  }

  /** What is asked of the provider for one capability. */
  scopesOf(capability: Capability): readonly string[] {
    return [...this.#registration().scopes[oneOf(capability, CAPABILITIES, "capability")]];
  }

  /** Changes what is asked of the provider for one capability, for attempts from now on. */
  setScopes(capability: Capability, scopes: readonly string[]): void {
    fieldsOf({ scopes }, { scopes: "texts!" });
    this.#registration().scopes[oneOf(capability, CAPABILITIES, "capability")] = [...scopes];
  }

  /** The capabilities that it serves. */
  get capabilities(): readonly Capability[] {
    return [...this.#registration().capabilities];
  }

  /**
   * All the capabilities that it serves from now on. Connections keep what they were granted, and show what is no longer
   * served as UNAVAILABLE. Throws a MockMisuseError for none, and for a duplicate.
   */
  setCapabilities(capabilities: readonly Capability[]): void {
    const { capabilities: served = [] } = fieldsOf({ capabilities }, { capabilities: { each: CAPABILITIES } });
    if (served.length === 0) throw new MockMisuseError("A registration serves at least one capability.");
    allowed(checkDistinct("capabilities", served), "capabilities");
    Object.assign(this.#registration(), {
      capabilities: CAPABILITIES.filter((name) => served.includes(name)),
      updatedAt: this.#world.now(),
    });
  }

  #move(event: RegistrationEvent): void {
    const registration = this.#registration();
    const status = moveRegistration(registration.status, event);
    if (status === null) {
      const possible = EVENTS.filter((one) => moveRegistration(registration.status, one) !== null);
      const names = possible.map((one) => one.toLowerCase());
      throw notNow("registration", registration.status, `be moved by ${event.toLowerCase()}`, names);
    }
    Object.assign(registration, { status, updatedAt: this.#world.now() });
  }

  /** The one that serves, else the one that is paused; where nothing is open, the one that the mock began with. */
  #registration(): Registration {
    const rows = [...this.#world.state.registrations.values()].filter((one) => one.provider === this.#provider);
    const row =
      rows.findLast((one) => one.status === "PUBLISHED") ?? rows.findLast((one) => one.status === "PAUSED") ?? rows[0];
    if (row === undefined) throw new MockMisuseError(`There is no registration at ${this.#provider}.`);
    return row;
  }
}
