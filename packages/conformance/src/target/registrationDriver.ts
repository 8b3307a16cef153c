import type { RegistrationInput } from "../_generated/adminWire.ts";
import type { AdminDriver, PanelDriver } from "./adminDriver.ts";
import { runInPanel } from "./adminScript.ts";
import type { Capability, OperatorDriver, Provider } from "./target.ts";

/** Moves and changes the one registration per provider that serves the suite, like an admin in the panel. */
export function registrationDriver({
  panel,
}: AdminDriver): Pick<OperatorDriver, "setRegistrationStatus" | "whileChanged"> {
  const ids = new Map<Provider, Promise<string>>();
  const idOf = (provider: Provider): Promise<string> => {
    const known = ids.get(provider) ?? findRegistration(panel, provider);
    ids.set(provider, known);
    return known;
  };

  const setRegistrationStatus: OperatorDriver["setRegistrationStatus"] = async (provider, status) => {
    const operation = { PUBLISHED: "publish", PAUSED: "pause", DISABLED: "disable" } as const;
    await runInPanel(panel, `${operation[status]}Registration`, { id: await idOf(provider) });
  };

  /** A registration is changed while it is paused. */
  const update = async (provider: Provider, input: RegistrationInput) => {
    await setRegistrationStatus(provider, "PAUSED");
    try {
      await runInPanel(panel, "updateRegistration", { id: await idOf(provider), input });
    } finally {
      await setRegistrationStatus(provider, "PUBLISHED");
    }
  };

  return {
    setRegistrationStatus,
    whileChanged: async (provider, { scopes: borrowed, ...change }, during) => {
      const detail = await runInPanel(panel, "registrationDetail", { id: await idOf(provider) });
      const { clientId, addresses, scopes, capabilities, clientIds } = detail;
      const before = { clientId, addresses, scopes, capabilities, clientIds };
      const scopesOf = (capability: Capability) => scopes.find((entry) => entry.capability === capability)?.scopes;
      const changed = scopes.map((entry) =>
        entry.capability === borrowed?.of ? { ...entry, scopes: scopesOf(borrowed.as) ?? [] } : entry,
      );
      await update(provider, { ...before, ...change, scopes: changed });
      try {
        return await during();
      } finally {
        await update(provider, before);
      }
    },
  };
}

/** The published registration; after an aborted run, the paused one. */
async function findRegistration(panel: PanelDriver, provider: Provider): Promise<string> {
  const all = (await runInPanel(panel, "adminRegistrations", {})).filter((one) => one.provider === provider);
  const nearest = all.find(({ status }) => status === "PUBLISHED") ?? all.find(({ status }) => status === "PAUSED");
  if (nearest === undefined) throw new Error(`There is no published registration at ${provider}.`);
  return nearest.id;
}
