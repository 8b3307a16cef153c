import { randomUUID } from "node:crypto";
import { CAPABILITIES } from "@social-connect/contract";
import { PROVIDERS } from "../description/providers.ts";
import type { AdminDriver } from "./adminDriver.ts";
import { AdminRefusal, runInPanel } from "./adminScript.ts";
import { registrationDriver } from "./registrationDriver.ts";
import type { Application, OperatorDriver } from "./target.ts";

export interface OperatorOptions {
  readonly admin: AdminDriver;
  /** Where applications call the consumer API. */
  readonly baseUrl: string;
  /** Deletes a client with all its data; without it a client is only disabled after use. */
  readonly forgetClient?: ((clientId: string) => Promise<void>) | undefined;
}

/** The operator's driver, using only the panel. */
export function openOperator({ admin, baseUrl, forgetClient }: OperatorOptions): OperatorDriver {
  const ids = new Map<string, string>();

  const idOf = (application: Application): string => {
    const id = ids.get(application.key);
    if (id === undefined) throw new Error("The operator did not create this application.");
    return id;
  };

  return {
    createApplication: async () => {
      const slug = `conformance-${randomUUID().slice(0, 13)}`;
      const origin = `https://${slug}.example.test`;
      const tenantKeys = ["tenant-one", "tenant-two"] as const;
      const [returnUrl, identityReturnUrl] = [`${origin}/return`, `${origin}/identity-return`];
      const { id } = await runInPanel(admin.panel, "createClient", {
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
      const returnUrls = [identityReturnUrl];
      await runInPanel(admin.panel, "setClientIdpIdentity", { id, enabled: true, returnUrls });
      const { key } = await runInPanel(admin.panel, "issueClientCredential", { id });
      ids.set(key, id);
      return { baseUrl, key, tenantKeys, returnUrl, identityReturnUrl, webOrigin: origin };
    },
    removeApplication: async (application) => {
      const id = idOf(application);
      if (forgetClient) await forgetClient(id);
      else await runInPanel(admin.panel, "setClientEnabled", { id, enabled: false });
      ids.delete(application.key);
    },
    clientId: async (application) => idOf(application),
    addTesters: async (application, accounts) => {
      const id = idOf(application);
      for (const { provider, accountId: providerAccountId } of accounts) {
        try {
          await runInPanel(admin.panel, "addClientTester", { id, provider, providerAccountId });
        } catch (error) {
          // Two concurrent requests to add the same account both succeed.
          if (!(error instanceof AdminRefusal && error.reason === "ALREADY_PRESENT")) throw error;
        }
      }
    },
    ...registrationDriver(admin),
  };
}
