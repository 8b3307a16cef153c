import type { WriteOperation } from "../_generated/operations.ts";
import type { Sdk } from "../_generated/requests.ts";
import type { AdminClient, Capability, CreateClientInput, SocialProvider } from "../_generated/types.ts";

/** A change of one client: its request, and the check whether a client already has it. */
export interface ClientWrite {
  readonly operation: Exclude<WriteOperation, "createClient">;
  readonly id: string;
  /** Whether the client already has the target state. */
  readonly holds: (client: AdminClient) => boolean;
  readonly send: (requests: Sdk) => Promise<AdminClient>;
}

/** The complete policy: omitted entries are no longer allowed. */
export interface ClientPolicy {
  /** The allowed providers. */
  readonly providers: readonly SocialProvider[];
  /** The allowed capabilities. */
  readonly capabilities: readonly Capability[];
}

/** The confirmation that is required to register a return URL. */
export interface ReturnUrlConfirmation {
  /**
   * Confirms that the route behind the return URL never redirects onward to an address taken from the request.
   * Otherwise an attacker could use your application as an open redirect.
   */
  readonly confirmedNoOnwardRedirect: true;
}

export function setEnabled(id: string, enabled: boolean): ClientWrite {
  return {
    operation: "setClientEnabled",
    id,
    holds: (client) => client.enabled === enabled,
    send: async (requests) => (await requests.SetClientEnabled({ id, enabled })).setClientEnabled,
  };
}

export function setDisplayName(id: string, displayName: string): ClientWrite {
  return {
    operation: "setClientDisplayName",
    id,
    holds: (client) => client.displayName === displayName,
    send: async (requests) => (await requests.SetClientDisplayName({ id, displayName })).setClientDisplayName,
  };
}

export function setPolicy(id: string, { providers, capabilities }: ClientPolicy): ClientWrite {
  return {
    operation: "setClientPolicy",
    id,
    holds: (client) => isSameSet(client.providers, providers) && isSameSet(client.capabilities, capabilities),
    send: async (requests) => (await requests.SetClientPolicy({ id, providers, capabilities })).setClientPolicy,
  };
}

export function addTenantKey(id: string, tenantKey: string): ClientWrite {
  return {
    operation: "addClientTenantKey",
    id,
    holds: (client) => client.tenantKeys.includes(tenantKey),
    send: async (requests) => (await requests.AddClientTenantKey({ id, tenantKey })).addClientTenantKey,
  };
}

export function removeTenantKey(id: string, tenantKey: string): ClientWrite {
  return {
    operation: "removeClientTenantKey",
    id,
    holds: (client) => !client.tenantKeys.includes(tenantKey),
    send: async (requests) => (await requests.RemoveClientTenantKey({ id, tenantKey })).removeClientTenantKey,
  };
}

export function addOrigin(id: string, origin: string): ClientWrite {
  return {
    operation: "addClientOrigin",
    id,
    holds: (client) => client.webOrigins.includes(origin),
    send: async (requests) => (await requests.AddClientOrigin({ id, origin })).addClientOrigin,
  };
}

export function removeOrigin(id: string, origin: string): ClientWrite {
  return {
    operation: "removeClientOrigin",
    id,
    holds: (client) => !client.webOrigins.includes(origin),
    send: async (requests) => (await requests.RemoveClientOrigin({ id, origin })).removeClientOrigin,
  };
}

export function addReturnUrl(
  id: string,
  url: string,
  { confirmedNoOnwardRedirect }: ReturnUrlConfirmation,
): ClientWrite {
  return {
    operation: "addClientReturnUrl",
    id,
    holds: (client) => client.returnUrls.includes(url),
    send: async (requests) =>
      (await requests.AddClientReturnUrl({ id, url, confirmedNoOnwardRedirect })).addClientReturnUrl,
  };
}

export function removeReturnUrl(id: string, url: string): ClientWrite {
  return {
    operation: "removeClientReturnUrl",
    id,
    holds: (client) => !client.returnUrls.includes(url),
    send: async (requests) => (await requests.RemoveClientReturnUrl({ id, url })).removeClientReturnUrl,
  };
}

export function setPreviewOrigins(id: string, enabled: boolean): ClientWrite {
  return {
    operation: "setClientPreviewOrigins",
    id,
    holds: (client) => client.previewOriginsEnabled === enabled,
    send: async (requests) => (await requests.SetClientPreviewOrigins({ id, enabled })).setClientPreviewOrigins,
  };
}

export function addPreviewReturnPath(id: string, path: string): ClientWrite {
  return {
    operation: "addClientPreviewReturnPath",
    id,
    holds: (client) => client.previewReturnPaths.includes(path),
    send: async (requests) => (await requests.AddClientPreviewReturnPath({ id, path })).addClientPreviewReturnPath,
  };
}

export function removePreviewReturnPath(id: string, path: string): ClientWrite {
  return {
    operation: "removeClientPreviewReturnPath",
    id,
    holds: (client) => !client.previewReturnPaths.includes(path),
    send: async (requests) =>
      (await requests.RemoveClientPreviewReturnPath({ id, path })).removeClientPreviewReturnPath,
  };
}

/** Whether a client has the state that this input creates. */
export function isCreatedFrom(client: AdminClient, input: CreateClientInput): boolean {
  return (
    client.slug === input.slug &&
    client.displayName === input.displayName &&
    isSameSet(client.webOrigins, input.webOrigins) &&
    isSameSet(client.returnUrls, input.returnUrls) &&
    isSameSet(client.tenantKeys, input.tenantKeys) &&
    isSameSet(client.providers, input.providers) &&
    isSameSet(client.capabilities, input.capabilities)
  );
}

/** Compares lists of a client as sets. */
export function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  const values = new Set(right);
  return left.length === right.length && left.every((value) => values.has(value));
}
