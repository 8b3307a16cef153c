import type { VariablesOf } from "@social-connect/sdk-core";
import type { WriteOperation } from "../_generated/operations.ts";
import type { Sdk } from "../_generated/requests.ts";
import type { AdminClient, Capability, CreateClientInput, SocialProvider } from "../_generated/types.ts";

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

/** A change of one client: its operation, and the arguments besides the client's id. */
export type ClientChange =
  | ({ readonly operation: "setClientPolicy" } & ClientPolicy)
  | ChangeBy<Exclude<WriteOperation, "createClient" | "setClientPolicy">>;

type ChangeBy<Operation extends WriteOperation> = Operation extends WriteOperation
  ? { readonly operation: Operation } & Omit<VariablesOf<Sdk, Operation>, "id">
  : never;

/** The client after a change, without concurrent changes. */
export function afterChange(client: AdminClient, change: ClientChange): AdminClient {
  switch (change.operation) {
    case "setClientEnabled":
      return { ...client, enabled: change.enabled };
    case "setClientPreviewOrigins":
      return { ...client, previewOriginsEnabled: change.enabled };
    case "setClientDisplayName":
      return { ...client, displayName: change.displayName };
    case "setClientPolicy":
      return { ...client, providers: change.providers, capabilities: change.capabilities };
    default: {
      const { list, entry, isAddition } = listChangeOf(change);
      const others = client[list].filter((value) => value !== entry);
      return { ...client, [list]: isAddition ? [...others, entry] : others };
    }
  }
}

/** A change of one list of a client. */
export type ListChange = Extract<ClientChange, { operation: `${"add" | "remove"}${string}` }>;

/** The list that a change adds an entry to or removes it from. */
export function listChangeOf(change: ListChange) {
  const isAddition = change.operation.startsWith("add");
  if ("tenantKey" in change)
    return { list: "tenantKeys", label: "tenant key", entry: change.tenantKey, isAddition } as const;
  if ("origin" in change) return { list: "webOrigins", label: "origin", entry: change.origin, isAddition } as const;
  if ("url" in change) return { list: "returnUrls", label: "return URL", entry: change.url, isAddition } as const;
  return { list: "previewReturnPaths", label: "preview return path", entry: change.path, isAddition } as const;
}

const CREATED_LISTS = ["webOrigins", "returnUrls", "tenantKeys", "providers", "capabilities"] as const;
const LISTS = [...CREATED_LISTS, "identityReturnUrls", "previewReturnPaths"] as const;

/** Whether two records describe the same client state. Times are ignored, and lists are compared as sets. */
export function isSameClient(left: AdminClient, right: AdminClient): boolean {
  return (
    left.slug === right.slug &&
    left.displayName === right.displayName &&
    left.enabled === right.enabled &&
    left.previewOriginsEnabled === right.previewOriginsEnabled &&
    left.idpIdentityEnabled === right.idpIdentityEnabled &&
    LISTS.every((list) => isSameSet(left[list], right[list]))
  );
}

/** Whether a client has the state that this input creates. */
export function isCreatedFrom(client: AdminClient, input: CreateClientInput): boolean {
  return (
    client.slug === input.slug &&
    client.displayName === input.displayName &&
    CREATED_LISTS.every((list) => isSameSet(client[list], input[list]))
  );
}

/** Compares lists of a client as sets. */
export function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  const values = new Set(right);
  return left.length === right.length && left.every((value) => values.has(value));
}
