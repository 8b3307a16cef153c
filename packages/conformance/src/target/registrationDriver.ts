import type { RegistrationDetail } from "../_generated/adminWire.ts";
import type { AdminScript } from "./adminScript.ts";
import type { Capability, Provider } from "./target.ts";

/** Moves and changes the one registration per provider that serves the suite, like an admin in the panel. */
export class RegistrationDriver {
  readonly #script: AdminScript;
  readonly #ids = new Map<Provider, Promise<string>>();

  constructor(script: AdminScript) {
    this.#script = script;
  }

  async setStatus(provider: Provider, status: "PUBLISHED" | "PAUSED" | "DISABLED"): Promise<void> {
    const id = await this.#idOf(provider);
    const operation = { PUBLISHED: "publish", PAUSED: "pause", DISABLED: "disable" } as const;
    await this.#script.inPanel(`${operation[status]}Registration`, { id });
  }

  /** A registration is changed while it is paused. */
  async change(
    provider: Provider,
    changed: Partial<Pick<RegistrationDetail, "clientIds" | "scopes" | "capabilities">>,
  ): Promise<void> {
    const id = await this.#idOf(provider);
    const { clientId, addresses, scopes, capabilities, clientIds } = await this.#script.inPanel("registrationDetail", {
      id,
    });
    const input = { clientId, addresses, scopes, capabilities, clientIds, ...changed };
    await this.setStatus(provider, "PAUSED");
    try {
      await this.#script.inPanel("updateRegistration", { id, input });
    } finally {
      await this.setStatus(provider, "PUBLISHED");
    }
  }

  async withCapabilitiesOf<Result>(
    provider: Provider,
    served: readonly Capability[],
    during: () => Promise<Result>,
  ): Promise<Result> {
    const { capabilities } = await this.#script.inPanel("registrationDetail", { id: await this.#idOf(provider) });
    await this.change(provider, { capabilities: served });
    try {
      return await during();
    } finally {
      await this.change(provider, { capabilities });
    }
  }

  async withScopesOf<Result>(
    provider: Provider,
    capability: Capability,
    as: Capability,
    during: () => Promise<Result>,
  ): Promise<Result> {
    const { scopes } = await this.#script.inPanel("registrationDetail", { id: await this.#idOf(provider) });
    const borrowed = scopes.find((entry) => entry.capability === as)?.scopes ?? [];
    await this.change(provider, {
      scopes: scopes.map((entry) => (entry.capability === capability ? { ...entry, scopes: borrowed } : entry)),
    });
    try {
      return await during();
    } finally {
      await this.change(provider, { scopes });
    }
  }

  #idOf(provider: Provider): Promise<string> {
    const known = this.#ids.get(provider) ?? this.#find(provider);
    this.#ids.set(provider, known);
    return known;
  }

  /** The published registration; after an aborted run, the paused one. */
  async #find(provider: Provider): Promise<string> {
    const all = await this.#script.withKey("adminRegistrations", {});
    const nearest = (["PUBLISHED", "PAUSED"] as const).flatMap((status) =>
      all.filter((one) => one.provider === provider && one.status === status),
    );
    if (nearest[0] === undefined) throw new Error(`There is no published registration at ${provider}.`);
    return nearest[0].id;
  }
}
