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
    whileChanged: async (provider, { clientIds, capabilities, scopes }, during) => {
      const registration = `registrations/${provider}`;
      const undo: (() => Promise<unknown>)[] = [];
      const change = async (path: string, changed: unknown, before: unknown) => {
        await control("POST", `${registration}/${path}`, changed);
        undo.push(() => control("POST", `${registration}/${path}`, before));
      };
      if (clientIds !== undefined) await change("serve", { served: false }, { served: true });
      if (capabilities !== undefined) {
        const before = await control<{ capabilities: readonly string[] }>("GET", registration);
        await change("capabilities", { capabilities }, { capabilities: before.capabilities });
      }
      if (scopes !== undefined) {
        const [before, as] = [scopes.of, scopes.as].map((name) =>
          control<unknown>("GET", `${registration}/scopes/${name}`),
        );
        await change(`scopes/${scopes.of}`, await as, await before);
      }
      return during().finally(() => Promise.all(undo.map((one) => one())));
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
