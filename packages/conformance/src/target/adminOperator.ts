import { CAPABILITIES } from "@social-connect/contract";
import type { RegistrationInput } from "../_generated/adminWire.ts";
import { PROVIDERS } from "../description/providers.ts";
import { callInPanel, refusalOf, runInPanel } from "./adminScript.ts";
import type { AdminDriver, Application, Capability, OperatorDriver, PanelDriver, Provider } from "./target.ts";

export interface OperatorOptions {
  readonly admin: AdminDriver;
  /** Where applications call the consumer API. */
  readonly baseUrl: string;
  /** Deletes a client with all its data; without it a client is only disabled after use. */
  readonly forgetClient?: ((clientId: string) => Promise<void>) | undefined;
}

/** The operator's driver, using only the panel. */
export function openOperator({ admin: { panel }, baseUrl, forgetClient }: OperatorOptions): OperatorDriver {
  const ids = new Map<string, string>();

  const idOf = (application: Application): string => {
    const id = ids.get(application.key);
    if (id === undefined) throw new Error("The operator did not create this application.");
    return id;
  };

  // The one registration of each provider that serves the suite.
  const registrations = new Map<Provider, Promise<string>>();
  const registrationOf = (provider: Provider): Promise<string> => {
    const known = registrations.get(provider) ?? findRegistration(panel, provider);
    registrations.set(provider, known);
    return known;
  };

  const setRegistrationStatus: OperatorDriver["setRegistrationStatus"] = async (provider, status) => {
    const operation = { PUBLISHED: "publish", PAUSED: "pause", DISABLED: "disable" } as const;
    await runInPanel(panel, `${operation[status]}Registration`, { id: await registrationOf(provider) });
  };

  /** A registration is changed while it is paused. */
  const update = async (provider: Provider, input: RegistrationInput) => {
    await setRegistrationStatus(provider, "PAUSED");
    try {
      await runInPanel(panel, "updateRegistration", { id: await registrationOf(provider), input });
    } finally {
      await setRegistrationStatus(provider, "PUBLISHED");
    }
  };

  return {
    createApplication: async () => {
      const slug = `conformance-${crypto.randomUUID().slice(0, 13)}`;
      const origin = `https://${slug}.example.test`;
      const tenantKeys = ["tenant-one", "tenant-two"] as const;
      const [returnUrl, identityReturnUrl] = [`${origin}/return`, `${origin}/identity-return`];
      const { id } = await runInPanel(panel, "createClient", {
        input: {
          slug,
          displayName: slug,
          webOrigins: [origin],
          returnUrls: [returnUrl],
          tenantKeys,
          providers: PROVIDERS,
          capabilities: CAPABILITIES,
          confirmedNoOnwardRedirect: true,
        },
      });
      await runInPanel(panel, "setClientIdpIdentity", { id, enabled: true, returnUrls: [identityReturnUrl] });
      const { key } = await runInPanel(panel, "issueClientCredential", { id });
      ids.set(key, id);
      return { baseUrl, key, tenantKeys, returnUrl, identityReturnUrl, webOrigin: origin };
    },
    removeApplication: async (application) => {
      const id = idOf(application);
      if (forgetClient) await forgetClient(id);
      else await runInPanel(panel, "setClientEnabled", { id, enabled: false });
      ids.delete(application.key);
    },
    clientId: async (application) => idOf(application),
    addTesters: async (application, accounts) => {
      const id = idOf(application);
      for (const { provider, accountId: providerAccountId } of accounts) {
        const added = await callInPanel(panel, "addClientTester", { id, provider, providerAccountId });
        // Two concurrent requests to add the same account both succeed.
        if (!added.ok && added.reason !== "ALREADY_PRESENT") throw refusalOf("addClientTester", added);
      }
    },
    setRegistrationStatus,
    whileChanged: async (provider, { scopes: borrowed, ...change }, during) => {
      const detail = await runInPanel(panel, "registrationDetail", { id: await registrationOf(provider) });
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
