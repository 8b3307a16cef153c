import type { Capability, Provider } from "./types.ts";

/** The records of the admin API as the decisions have them. Enum values stay text: a case compares them. */

export interface AdminClient {
  readonly id: string;
  readonly slug: string;
  readonly displayName: string;
  readonly enabled: boolean;
  readonly webOrigins: readonly string[];
  readonly returnUrls: readonly string[];
  readonly identityReturnUrls: readonly string[];
  readonly providers: readonly string[];
  readonly capabilities: readonly string[];
  readonly tenantKeys: readonly string[];
  readonly previewOriginsEnabled: boolean;
  readonly previewReturnPaths: readonly string[];
  readonly idpIdentityEnabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface CreateClientInput {
  readonly slug: string;
  readonly displayName: string;
  readonly webOrigins: readonly string[];
  readonly returnUrls: readonly string[];
  readonly tenantKeys: readonly string[];
  readonly providers: readonly Provider[];
  readonly capabilities: readonly Capability[];
  readonly confirmedNoOnwardRedirect: boolean;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly apiKeyId: string | null;
  readonly action: string;
  readonly targetType: string;
  readonly targetId: string;
  readonly clientSlug: string | null;
  readonly summary: string;
}

export interface AdminMember {
  readonly id: string;
  readonly email: string;
  readonly bound: boolean;
  readonly addedAt: string;
  readonly addedBy: string;
}

export interface AdminRegistration {
  readonly id: string;
  readonly provider: string;
  readonly status: string;
  readonly clientIdHint: string;
  readonly capabilities: readonly string[];
  readonly applications: readonly string[] | null;
  readonly updatedAt: string;
}

export interface ApiKey {
  readonly id: string;
  readonly label: string;
  readonly scope: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

export interface ClientCredential {
  readonly keyId: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

export interface ClientTester {
  readonly provider: string;
  readonly providerAccountId: string;
}

export interface CapabilityScopes {
  readonly capability: Capability;
  readonly scopes: readonly string[];
}

export interface ProviderAddresses {
  readonly authorization: string;
  readonly token: string;
  readonly revocation?: string | null;
  readonly api: string;
  readonly issuer?: string | null;
}

export interface RegistrationInput {
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly addresses: ProviderAddresses;
  readonly scopes: readonly CapabilityScopes[];
  readonly capabilities: readonly Capability[];
  readonly clientIds?: readonly string[] | null;
}

export interface RegistrationDetail extends Omit<RegistrationInput, "clientSecret" | "clientIds"> {
  readonly id: string;
  readonly provider: string;
  readonly status: string;
  readonly clientIds: readonly string[] | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

export interface Paging {
  readonly first?: number | null;
  readonly after?: string | null;
}

/** What a change in the panel answers in place of the record: one of the typed errors. */
export interface PanelFailure {
  readonly __typename: string;
  readonly message: string;
  readonly reason?: string | null;
  readonly field?: string | null;
  readonly confirmUrl?: string;
}

type OnClient<More = unknown> = { readonly id: string } & More;

/** Operations that answer with the record itself, and fail with a code and a reason. */
export interface RecordOperations {
  previewTemplate: { args: Record<string, never>; answer: { readonly template: string | null } };
  adminMembers: { args: Record<string, never>; answer: readonly AdminMember[] };
  adminAuditEntries: { args: Paging & { readonly apiKeyId?: string | null }; answer: Page<AuditEntry> };
  adminClients: { args: Paging; answer: Page<AdminClient> };
  adminClient: { args: OnClient; answer: AdminClient };
  adminProviderAvailability: {
    args: Record<string, never>;
    answer: readonly { readonly provider: string; readonly available: boolean; readonly reason: string | null }[];
  };
  adminRegistrations: { args: Record<string, never>; answer: readonly AdminRegistration[] };
  createClient: { args: { readonly input: CreateClientInput }; answer: AdminClient };
  setClientEnabled: { args: OnClient<{ readonly enabled: boolean }>; answer: AdminClient };
  setClientDisplayName: { args: OnClient<{ readonly displayName: string }>; answer: AdminClient };
  setClientPolicy: {
    args: OnClient<{ readonly providers: readonly string[]; readonly capabilities: readonly string[] }>;
    answer: AdminClient;
  };
  addClientTenantKey: { args: OnClient<{ readonly tenantKey: string }>; answer: AdminClient };
  removeClientTenantKey: { args: OnClient<{ readonly tenantKey: string }>; answer: AdminClient };
  addClientOrigin: { args: OnClient<{ readonly origin: string }>; answer: AdminClient };
  removeClientOrigin: { args: OnClient<{ readonly origin: string }>; answer: AdminClient };
  addClientReturnUrl: {
    args: OnClient<{ readonly url: string; readonly confirmedNoOnwardRedirect: boolean }>;
    answer: AdminClient;
  };
  removeClientReturnUrl: { args: OnClient<{ readonly url: string }>; answer: AdminClient };
  setClientPreviewOrigins: { args: OnClient<{ readonly enabled: boolean }>; answer: AdminClient };
  addClientPreviewReturnPath: { args: OnClient<{ readonly path: string }>; answer: AdminClient };
  removeClientPreviewReturnPath: { args: OnClient<{ readonly path: string }>; answer: AdminClient };
  apiKeys: { args: Paging; answer: Page<ApiKey> };
  /** The panel's own, beyond the description's table. */
  searchClients: { args: Paging & { readonly text: string }; answer: Page<AdminClient> };
  searchAuditEntries: {
    args: Paging & { readonly apiKeyId?: string; readonly clientSlug?: string; readonly action?: string };
    answer: Page<AuditEntry>;
  };
  clientCredentials: { args: OnClient; answer: readonly ClientCredential[] };
  clientTesters: { args: OnClient; answer: readonly ClientTester[] };
  registrationDetail: { args: OnClient; answer: RegistrationDetail };
}

/** Operations of the panel that answer with a union: the record, or a typed error. */
export interface UnionOperations {
  mintApiKey: {
    args: { readonly label: string; readonly scope: string; readonly lifetimeDays: number };
    answer: { readonly apiKey: ApiKey; readonly key: string };
  };
  revokeApiKey: { args: { readonly id: string }; answer: ApiKey };
  addAdminMember: { args: { readonly email: string }; answer: AdminMember };
  removeAdminMember: { args: { readonly id: string }; answer: AdminMember };
  issueClientCredential: {
    args: OnClient<{ readonly expiresInDays?: number | null }>;
    answer: { readonly credential: ClientCredential; readonly key: string };
  };
  revokeClientCredential: { args: OnClient<{ readonly keyId: string }>; answer: ClientCredential };
  publishRegistration: { args: OnClient; answer: AdminRegistration };
  disableRegistration: { args: OnClient; answer: AdminRegistration };
  setClientIdpIdentity: {
    args: OnClient<{ readonly enabled: boolean; readonly returnUrls?: readonly string[] | null }>;
    answer: AdminClient;
  };
  /** The panel's own, beyond the description's table. */
  addClientTester: {
    args: OnClient<{ readonly provider: string; readonly providerAccountId: string }>;
    answer: ClientTester;
  };
  removeClientTester: {
    args: OnClient<{ readonly provider: string; readonly providerAccountId: string }>;
    answer: ClientTester;
  };
  createRegistration: {
    args: { readonly provider: string; readonly input: RegistrationInput };
    answer: AdminRegistration;
  };
  updateRegistration: { args: OnClient<{ readonly input: RegistrationInput }>; answer: AdminRegistration };
  pauseRegistration: { args: OnClient; answer: AdminRegistration };
}

export type AdminOperations = RecordOperations & UnionOperations;
export type AdminOperationName = keyof AdminOperations;
