import type { ConsentRules, PostForm, ScopesByCapability } from "@social-connect/provider-fixtures";
import type { Account } from "../accounts/account.ts";
import type { SimulatorClient } from "../shared/providerKeys.ts";
import type { ClientResponse } from "../shared/sendToClient.ts";

/** Scopes of a provider, and which of them a user can decline. */
export interface ScopeRules extends ConsentRules {
  /** Every scope that the provider knows, with its text on the consent page. */
  readonly labels: Readonly<Record<string, string>>;
}

/** The differences between providers that code outside their folders needs. */
export interface ProviderProfile {
  readonly defaultPort: number;
  /** Endpoints, as paths on the provider's origin. */
  readonly paths: {
    readonly authorization: string;
    readonly token: string;
    readonly revocation?: string;
    readonly api: string;
  };
  /** Scope names by capability; the same for the real providers. */
  readonly capabilityScopes: ScopesByCapability;
  readonly scopeRules: ScopeRules;
  readonly defaultPostForm: PostForm;
  /** Whether the link to a picture is valid; absent where links do not expire. */
  pictureLinkIsValid?(postId: string, query: URLSearchParams, now: Date): boolean;
  /** Notifies an application of its removal; the HTTP status of its response. Absent where the provider does not notify. */
  reportRemoval?(account: Account, client: SimulatorClient, removedAt: Date, now: Date): Promise<number | null>;
  /** Asks an application to delete the user's data; null without a response. Absent where the provider does not ask. */
  requestDeletion?(account: Account, client: SimulatorClient, requestedAt: Date): Promise<ClientResponse | null>;
}
