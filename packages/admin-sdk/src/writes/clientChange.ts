import { BRANDING_FIELDS } from "@social-connect/domain";
import type { VariablesOf } from "@social-connect/sdk-core";
import type { Documents } from "../_generated/documents.ts";
import type { WriteOperation } from "../_generated/operations.ts";
import type { AdminClient, Capability, CreateClientInput, SocialProvider } from "../_generated/types.ts";

/** The complete policy: omitted entries are no longer allowed. */
export interface ClientPolicy {
  /** The allowed providers. */
  readonly providers: readonly SocialProvider[];
  /** The allowed capabilities. */
  readonly capabilities: readonly Capability[];
}

/** What pages of the service show of a client besides its name: omitted and null fields are removed. */
export interface ClientBrandingOptions {
  /** A data URL of a PNG, JPEG or WebP image with at most 16,384 bytes: see `logoDataUrl`. */
  readonly logo?: string | null | undefined;
  /** The color of buttons, as `#` and six hexadecimal digits. */
  readonly brandColor?: string | null | undefined;
  /** Where users of the application get help: a `mailto:` or https address. */
  readonly supportAddress?: string | null | undefined;
  /** The https address of the application's privacy notice. */
  readonly privacyUrl?: string | null | undefined;
}

/** The complete branding of a client. */
export interface ClientBranding {
  /** The logo as a data URL. */
  readonly logo: string | null;
  /** The color of buttons. */
  readonly brandColor: string | null;
  /** Where users of the application get help. */
  readonly supportAddress: string | null;
  /** The address of the application's privacy notice. */
  readonly privacyUrl: string | null;
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
  | ({ readonly operation: "setClientBranding" } & ClientBranding)
  | ChangeBy<Exclude<WriteOperation, "createClient" | "setClientPolicy" | "setClientBranding">>;

type ChangeBy<Operation extends WriteOperation> = Operation extends WriteOperation
  ? { readonly operation: Operation } & Omit<VariablesOf<Documents, Operation>, "id">
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
    case "setClientBranding":
      return { ...client, ...brandingOf(change) };
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
    isSameBranding(left, right) &&
    LISTS.every((list) => isSameSet(left[list], right[list]))
  );
}

/** The branding of a client or of input; what is absent is null. */
export function brandingOf(source: ClientBrandingOptions): ClientBranding {
  const { logo = null, brandColor = null, supportAddress = null, privacyUrl = null } = source;
  return { logo, brandColor, supportAddress, privacyUrl };
}

/** Compares the branding of two clients. */
export function isSameBranding(left: ClientBranding, right: ClientBranding): boolean {
  return BRANDING_FIELDS.every((field) => left[field] === right[field]);
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
