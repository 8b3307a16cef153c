import {
  CAPABILITIES,
  type Capability,
  type RegistrationStatus,
  SOCIAL_PROVIDERS,
  type SocialProvider,
} from "@social-connect/contract";
import { checkDistinct, moveRegistration, type RegistrationEvent } from "@social-connect/domain";
import type { Registration } from "../state/state.ts";
import { allowed, MockMisuseError, notNow, oneOf } from "../util/misuse.ts";
import type { World } from "../world/world.ts";
import { fieldsOf } from "./fields.ts";

const EVENTS = ["PUBLISH", "PAUSE", "DISABLE"] as const satisfies readonly RegistrationEvent[];

/** Controls the service's registration at a provider. It affects every application. */
export class RegistrationControl {
  readonly #world: World;
  readonly #provider: SocialProvider;

  constructor(world: World, provider: SocialProvider) {
    this.#world = world;
    this.#provider = oneOf(provider, SOCIAL_PROVIDERS, "provider");
  }

  /** PUBLISHED by default. */
  get status(): RegistrationStatus {
    return this.#registration().status;
  }

  /** Publishes it. Throws a MockMisuseError when its status does not allow that. */
  publish(): void {
    this.#move("PUBLISH");
  }

  /** Pauses it: connections stay, and reads fail with AUTHORIZATION_SUSPENDED. */
  pause(): void {
    this.#move("PAUSE");
  }

  /** Disables it permanently: reads fail with CAPABILITY_UNAVAILABLE. */
  disable(): void {
    this.#move("DISABLE");
  }

  /** Makes it serve every application, or none. */
  serve(served: boolean): void {
    fieldsOf({ served }, { served: "boolean!" });
    Object.assign(this.#registration(), { allApplications: served, updatedAt: this.#world.now() });
  }

  /** The scopes requested for a capability. */
  scopesOf(capability: Capability): readonly string[] {
    return [...this.#registration().scopes[oneOf(capability, CAPABILITIES, "capability")]];
  }

  /** Changes the scopes requested for a capability in new attempts. */
  setScopes(capability: Capability, scopes: readonly string[]): void {
    fieldsOf({ scopes }, { scopes: "strings!" });
    this.#registration().scopes[oneOf(capability, CAPABILITIES, "capability")] = [...scopes];
  }

  /** The capabilities that it serves. */
  get capabilities(): readonly Capability[] {
    return [...this.#registration().capabilities];
  }

  /**
   * Replaces the served capabilities. Connections keep their grants, and list other capabilities as UNAVAILABLE. Throws a
   * MockMisuseError for an empty list, and for a duplicate.
   */
  setCapabilities(capabilities: readonly Capability[]): void {
    const { capabilities: served = [] } = fieldsOf({ capabilities }, { capabilities: { each: CAPABILITIES } });
    if (served.length === 0) throw new MockMisuseError("A registration must serve at least one capability.");
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

  /** The published registration, or the paused one, or the first. */
  #registration(): Registration {
    const rows = [...this.#world.state.registrations.values()].filter((one) => one.provider === this.#provider);
    const row =
      rows.findLast((one) => one.status === "PUBLISHED") ?? rows.findLast((one) => one.status === "PAUSED") ?? rows[0];
    if (row === undefined) throw new MockMisuseError(`${this.#provider} has no registration.`);
    return row;
  }
}
