import { randomUUID } from "node:crypto";
import { PROVIDERS } from "../description/providers.ts";
import { adminDocument } from "../wire/documents.ts";
import type { AdminDriver } from "./adminDriver.ts";
import { AdminRefusal, AdminScript, recordOf } from "./adminScript.ts";
import { registrationDriver } from "./registrationDriver.ts";
import type { Application, Capability, OperatorDriver, TesterAccount } from "./target.ts";

export interface OperatorOptions {
  readonly admin: AdminDriver;
  /** Where applications call the consumer API. */
  readonly baseUrl: string;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Deletes a client with all its data; without it a client is only disabled after use. */
  readonly forgetClient?: ((clientId: string) => Promise<void>) | undefined;
}

const CAPABILITIES: readonly Capability[] = ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"];

/** The operator's driver, using only the admin API and the panel. */
export function openOperator({ admin, baseUrl, fetch, forgetClient }: OperatorOptions): OperatorDriver {
  const script = new AdminScript(admin, fetch);
  const ids = new Map<string, string>();

  const idOf = (application: Application): string => {
    const id = ids.get(application.key);
    if (id === undefined) throw new Error("The operator did not create this application.");
    return id;
  };

  return {
    createApplication: async (options = {}) => {
      const slug = `conformance-${randomUUID().slice(0, 13)}`;
      const origin = `https://${slug}.example.test`;
      const tenantKeys = options.tenantKeys ?? ["tenant-one", "tenant-two"];
      const [returnUrl, identityReturnUrl] = [`${origin}/return`, `${origin}/identity-return`];
      const { id } = await script.withKey("createClient", {
        input: {
          slug,
          displayName: slug,
          webOrigins: [origin],
          returnUrls: [returnUrl],
          tenantKeys,
          providers: options.providers ?? PROVIDERS,
          capabilities: options.capabilities ?? CAPABILITIES,
          confirmedNoOnwardRedirect: true,
        },
      });
      const enabled = options.idpIdentityEnabled ?? true;
      // One request for both, because every case starts with them.
      const answer = await admin.panel.run(
        adminDocument({ identity: "setClientIdpIdentity", issued: "issueClientCredential" }),
        { identity_id: id, identity_enabled: enabled, identity_returnUrls: [identityReturnUrl], issued_id: id },
      );
      recordOf(answer, "setClientIdpIdentity", "identity");
      const { key } = recordOf(answer, "issueClientCredential", "issued");
      ids.set(key, id);
      return { baseUrl, key, tenantKeys, returnUrl, identityReturnUrl, webOrigin: origin };
    },
    removeApplication: async (application) => {
      const id = idOf(application);
      if (forgetClient) await forgetClient(id);
      else await script.withKey("setClientEnabled", { id, enabled: false });
      ids.delete(application.key);
    },
    clientId: async (application) => idOf(application),
    addTesters: async (application, accounts) => {
      if (accounts.length === 0) return;
      for (const [index] of accounts.entries()) {
        if (index % MOST_TESTERS_AT_ONCE === 0)
          await addTesters(admin, idOf(application), accounts.slice(index, index + MOST_TESTERS_AT_ONCE));
      }
    },
    setEnabled: async (application, enabled) => {
      await script.withKey("setClientEnabled", { id: idOf(application), enabled });
    },
    setPolicy: async (application, { providers, capabilities, tenantKeys, idpIdentityEnabled }) => {
      const id = idOf(application);
      const client = await script.withKey("adminClient", { id });
      if (providers || capabilities) {
        await script.withKey("setClientPolicy", {
          id,
          providers: providers ?? client.providers,
          capabilities: capabilities ?? client.capabilities,
        });
      }
      for (const tenantKey of tenantKeys?.filter((one) => !client.tenantKeys.includes(one)) ?? [])
        await script.withKey("addClientTenantKey", { id, tenantKey });
      if (tenantKeys) {
        for (const tenantKey of client.tenantKeys.filter((one) => !tenantKeys.includes(one)))
          await script.withKey("removeClientTenantKey", { id, tenantKey });
      }
      if (idpIdentityEnabled !== undefined)
        await script.inPanel("setClientIdpIdentity", { id, enabled: idpIdentityEnabled });
    },
    setPreviews: async (application, { enabled, paths }) => {
      const id = idOf(application);
      const client = await script.withKey("setClientPreviewOrigins", { id, enabled });
      for (const path of client.previewReturnPaths.filter((one) => !paths.includes(one)))
        await script.withKey("removeClientPreviewReturnPath", { id, path });
      for (const path of paths.filter((one) => !client.previewReturnPaths.includes(one)))
        await script.withKey("addClientPreviewReturnPath", { id, path });
    },
    addReturnUrl: async (application, url) => {
      await script.withKey("addClientReturnUrl", { id: idOf(application), url, confirmedNoOnwardRedirect: true });
    },
    issueKey: async (application, { expiresInDays = null } = {}) =>
      (await script.inPanel("issueClientCredential", { id: idOf(application), expiresInDays })).key,
    revokeKey: async (application, key) => {
      await script.inPanel("revokeClientCredential", { id: idOf(application), keyId: key.slice(0, key.indexOf(".")) });
    },
    ...registrationDriver(script),
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
