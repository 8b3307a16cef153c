import { randomUUID } from "node:crypto";
import { PROVIDERS } from "../description/providers.ts";
import { adminDocument } from "../wire/documents.ts";
import type { AdminDriver } from "./adminDriver.ts";
import { AdminRefusal, recordOf, runInPanel } from "./adminScript.ts";
import { registrationDriver } from "./registrationDriver.ts";
import type { Application, Capability, OperatorDriver, TesterAccount } from "./target.ts";

export interface OperatorOptions {
  readonly admin: AdminDriver;
  /** Where applications call the consumer API. */
  readonly baseUrl: string;
  /** Deletes a client with all its data; without it a client is only disabled after use. */
  readonly forgetClient?: ((clientId: string) => Promise<void>) | undefined;
}

const CAPABILITIES: readonly Capability[] = ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"];

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
      // One request for both, because every case starts with them.
      const answer = await admin.panel.run(
        adminDocument({ identity: "setClientIdpIdentity", issued: "issueClientCredential" }),
        { identity_id: id, identity_enabled: true, identity_returnUrls: [identityReturnUrl], issued_id: id },
      );
      recordOf(answer, "setClientIdpIdentity", "identity");
      const { key } = recordOf(answer, "issueClientCredential", "issued");
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
      for (let at = 0; at < accounts.length; at += MOST_TESTERS_AT_ONCE)
        await addTesters(admin, idOf(application), accounts.slice(at, at + MOST_TESTERS_AT_ONCE));
    },
    ...registrationDriver(admin),
  };
}

/** The admin schema allows nine root fields in one document: eight of them under an alias. */
const MOST_TESTERS_AT_ONCE = 8;

async function addTesters(admin: AdminDriver, id: string, accounts: readonly TesterAccount[]): Promise<void> {
  const keys = accounts.map((_, index) => `t${index}`);
  const document = adminDocument(Object.fromEntries(keys.map((key) => [key, "addClientTester"])));
  const named = (key: string) => (keys.length === 1 ? "" : `${key}_`);
  const variables = Object.fromEntries(
    accounts.flatMap(({ provider, accountId }, index) => {
      const prefix = named(keys[index] ?? "");
      return [
        [`${prefix}id`, id],
        [`${prefix}provider`, provider],
        [`${prefix}providerAccountId`, accountId],
      ];
    }),
  );
  const answer = await admin.panel.run(document, variables);
  for (const key of keys) {
    try {
      recordOf(answer, "addClientTester", key);
    } catch (error) {
      // Two concurrent requests to add the same account both succeed.
      if (!(error instanceof AdminRefusal && error.reason === "ALREADY_PRESENT")) throw error;
    }
  }
}
