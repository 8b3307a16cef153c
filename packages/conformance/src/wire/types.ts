/** The answers of the consumer API as the service description's part 2 has them. Enum values stay text: a case compares them. */

export type Provider = "PROVIDER_A" | "PROVIDER_B" | "PROVIDER_C";
export type Capability = "PROFILE" | "CONTENT_LIST" | "CONTENT_LOOKUP" | "CONTENT_METRICS";

export interface Scope {
  readonly tenantKey: string;
  readonly externalSubjectId: string;
}

export interface ConnectInput {
  readonly scope: Scope;
  readonly provider: Provider;
  readonly capabilities: readonly Capability[];
  readonly returnUrl: string;
  readonly reconnectConnectionId?: string | null;
}

export interface ConnectSession {
  readonly id: string;
  readonly launchUrl: string;
  readonly launchToken: string;
  readonly expiresAt: string;
  readonly resultExpiresAt: string;
}

export interface ConnectSessionResult {
  readonly id: string;
  readonly provider: string;
  readonly status: string;
  readonly resultCode: string | null;
  readonly connectionId: string | null;
  readonly creatorAction: string | null;
  readonly expiresAt: string;
  readonly resultExpiresAt: string;
}

export interface Profile {
  readonly providerAccountId: string;
  readonly displayName: string | null;
  readonly handle: string | null;
  readonly avatarUrl: string | null;
  readonly profileUrl: string | null;
  readonly description: string | null;
  readonly observedAt: string;
}

export interface CapabilityState {
  readonly capability: string;
  readonly availability: string;
  readonly reason: string | null;
}

export interface Connection {
  readonly id: string;
  readonly provider: string;
  readonly providerAccountId: string;
  readonly status: string;
  readonly syncStatus: string;
  readonly capabilities: readonly CapabilityState[];
  readonly profile: Profile | null;
  readonly lastSuccessfulSyncAt: string | null;
  readonly nextRetryAt: string | null;
}

export interface ConnectionPage {
  readonly items: readonly Connection[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

export interface Metric {
  readonly name: string;
  readonly value: string | null;
  readonly availability: string;
  readonly reason: string | null;
  readonly sourceField: string | null;
  readonly observedAt: string;
}

export interface ContentItem {
  readonly id: string;
  readonly providerContentId: string;
  readonly provider: string;
  readonly kind: string;
  readonly canonicalUrl: string | null;
  readonly thumbnailUrl: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly publishedAt: string | null;
  readonly availability: string;
  readonly reason: string | null;
  readonly observedAt: string;
  readonly metrics: readonly Metric[];
}

export interface ContentPage {
  readonly items: readonly ContentItem[];
  readonly pageInfo: {
    readonly endCursor: string | null;
    readonly hasNextPage: boolean;
    readonly completeForWindow: boolean;
    readonly incompleteReason: string | null;
  };
  readonly lastSuccessfulSyncAt: string | null;
}

export interface ContentWindow {
  readonly publishedAfter: string;
  readonly publishedBefore: string;
  readonly first: number;
  readonly after?: string | null;
}

export interface SyncWindow {
  readonly publishedAfter: string;
  readonly publishedBefore: string;
  readonly maxItems?: number | null;
}

export interface SyncJob {
  readonly id: string;
  readonly status: string;
  readonly nextRetryAt: string | null;
  readonly errorCode: string | null;
  readonly creatorAction: string | null;
  readonly resultProviderContentId: string | null;
  readonly completeForWindow: boolean | null;
  readonly incompleteReason: string | null;
  readonly continuationCursor: string | null;
}

export interface DisconnectResult {
  readonly accepted: boolean;
  readonly connectionId: string;
  readonly upstreamRevocationPending: boolean;
  readonly revokeJobId: string;
  readonly eraseJobId: string;
  readonly creatorAction: string | null;
}

export interface IdpIdentitySession extends ConnectSession {
  readonly resultProof: string;
}

export interface IdpIdentityResult {
  readonly status: string;
  readonly issuer: string | null;
  readonly idpSub: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean | null;
  readonly name: string | null;
  readonly pictureUrl: string | null;
}

/** Every operation with its arguments and its answer. */
export interface Operations {
  status: { args: Record<string, never>; answer: { readonly ok: boolean; readonly message: string } };
  integrationReadiness: {
    args: Record<string, never>;
    answer: {
      readonly providers: readonly { readonly provider: string; readonly available: boolean }[];
      readonly idpIdentityAvailable: boolean;
    };
  };
  connectSessionResult: { args: { scope: Scope; id: string }; answer: ConnectSessionResult };
  connection: { args: { scope: Scope; id: string }; answer: Connection };
  connections: { args: { scope: Scope; first?: number | null; after?: string | null }; answer: ConnectionPage };
  content: { args: { scope: Scope; connectionId: string; window: ContentWindow }; answer: ContentPage };
  contentItem: {
    args: { scope: Scope; connectionId: string; providerContentId: string };
    answer: ContentItem | null;
  };
  syncJob: { args: { scope: Scope; connectionId: string; id: string }; answer: SyncJob };
  createConnectSession: { args: { input: ConnectInput }; answer: ConnectSession };
  disconnectConnection: { args: { scope: Scope; connectionId: string }; answer: DisconnectResult };
  requestRefresh: {
    args: {
      scope: Scope;
      connectionId: string;
      providerContentId?: string | null;
      window?: SyncWindow | null;
      continuationCursor?: string | null;
    };
    answer: SyncJob;
  };
  requestContentLookup: { args: { scope: Scope; connectionId: string; url: string }; answer: SyncJob };
  createIdpIdentitySession: {
    args: { input: { readonly tenantKey: string; readonly returnUrl: string } };
    answer: IdpIdentitySession;
  };
  redeemIdpIdentityResult: {
    args: { id: string; tenantKey: string; resultProof: string };
    answer: IdpIdentityResult;
  };
}
export type OperationName = keyof Operations;
