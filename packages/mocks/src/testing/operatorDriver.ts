import type { Application, OperatorDriver } from "@social-connect/conformance";
import type { Control } from "./control.ts";

export interface ApplicationView {
  readonly id: string;
  readonly key: string;
  readonly tenantKeys: readonly [string, ...string[]];
  readonly webOrigins: readonly [string, ...string[]];
  readonly returnUrls: readonly [string, ...string[]];
  readonly identityReturnUrls: readonly [string, ...string[]];
}

export function operatorDriver(control: Control, baseUrl: string): OperatorDriver {
  const ids = new Map<string, string>();
  const idOf = async ({ key }: Application): Promise<string> => {
    const known = ids.get(key);
    if (known !== undefined) return known;
    const own = await control<ApplicationView>("GET", "application");
    if (own.key === key) return own.id;
    throw new Error("The operator knows no application with that key.");
  };
  const change = async (application: Application, what: string, body: unknown = {}) => {
    await control("POST", `applications/${await idOf(application)}/${what}`, body);
  };
  return {
    createApplication: async (options = {}) => {
      const view = await control<ApplicationView>("POST", "applications", {
        tenantKeys: ["tenant-one", "tenant-two"],
        ...options,
      });
      ids.set(view.key, view.id);
      return applicationOf(baseUrl, view);
    },
    removeApplication: async (application) => {
      await control("DELETE", `applications/${await idOf(application)}`);
      ids.delete(application.key);
    },
    clientId: idOf,
    setEnabled: (application, enabled) => change(application, enabled ? "enable" : "disable"),
    setPolicy: (application, policy) => change(application, "policy", policy),
    setPreviews: (application, previews) => change(application, "previews", previews),
    addReturnUrl: (application, url) => change(application, "return-urls", { url }),
    issueKey: async (application, options = {}) => {
      const { expiresInDays } = options;
      const body = expiresInDays === undefined ? {} : { expiresIn: `${expiresInDays}d` };
      const { key } = await control<{ key: string }>("POST", `applications/${await idOf(application)}/keys`, body);
      return key;
    },
    revokeKey: async (application, key) => {
      const [keyId] = key.split(".");
      await control("POST", `applications/${await idOf(application)}/keys/${keyId}/revoke`);
    },
    setRegistrationStatus: async (provider, status) => {
      const verbs = { PUBLISHED: "publish", PAUSED: "pause", DISABLED: "disable" } as const;
      await control("POST", `registrations/${provider}/${verbs[status]}`);
    },
    setServed: (provider, served) => control("POST", `registrations/${provider}/serve`, { served }),
    withCapabilitiesOf: async (provider, others, during) => {
      const path = `registrations/${provider}`;
      const { capabilities } = await control<{ capabilities: readonly string[] }>("GET", path);
      await control("POST", `${path}/capabilities`, { capabilities: others });
      return during().finally(() => control("POST", `${path}/capabilities`, { capabilities }));
    },
    withScopesOf: async (provider, capability, as, during) => {
      const path = (name: string) => `registrations/${provider}/scopes/${name}`;
      const before = await control<unknown>("GET", path(capability));
      await control("POST", path(capability), await control<unknown>("GET", path(as)));
      return during().finally(() => control("POST", path(capability), before));
    },
  };
}

export function applicationOf(baseUrl: string, view: ApplicationView): Application {
  return {
    baseUrl,
    key: view.key,
    tenantKeys: view.tenantKeys,
    returnUrl: view.returnUrls[0],
    identityReturnUrl: view.identityReturnUrls[0],
    webOrigin: view.webOrigins[0],
  };
}
