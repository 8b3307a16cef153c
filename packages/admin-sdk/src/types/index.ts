/**
 * What the admin API answers, as the caller sees it. Times are ISO 8601 texts in UTC with milliseconds, `null` is the
 * service's own null. Source: service description, part 2, and the published schema.
 */
import type {
  Capability as KnownCapability,
  SocialProvider as KnownSocialProvider,
  RegistrationStatus as KnownStatus,
} from "../_generated/documents.ts";

/** The known values, and any other text: the service may add a value in a minor version, and that is data. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** One of the three providers. */
export type SocialProvider = KnownSocialProvider;
/** What a client may read of a linked account. */
export type Capability = KnownCapability;
/** DRAFT, PUBLISHED, PAUSED or DISABLED; a later service may know more. */
export type RegistrationStatus = Open<KnownStatus>;

/** A client application, with all that it has registered. */
export interface AdminClient {
  /** A UUID, chosen by the service; what operations name the client by. */
  readonly id: string;
  /** Lower-case letters, digits and hyphens; it never changes. */
  readonly slug: string;
  /** The name that people read at the consent. */
  readonly displayName: string;
  /** Off, the client's keys are refused. */
  readonly enabled: boolean;
  /** Origins of the pages that may start an attempt; at least one. */
  readonly webOrigins: readonly string[];
  /** Where an attempt may end; at least one. */
  readonly returnUrls: readonly string[];
  /** Where an identity handoff may end. Changed in the panel alone. */
  readonly identityReturnUrls: readonly string[];
  /** The providers that it may use. */
  readonly providers: readonly Open<SocialProvider>[];
  /** What it may read. */
  readonly capabilities: readonly Open<Capability>[];
  /** The tenants that its backend may name. */
  readonly tenantKeys: readonly string[];
  /** Whether pages on origins of the deployment's preview template count, too. */
  readonly previewOriginsEnabled: boolean;
  /** Paths that are return URLs on every preview origin. */
  readonly previewReturnPaths: readonly string[];
  /** Whether the client may start identity handoffs. Changed in the panel alone. */
  readonly idpIdentityEnabled: boolean;
  /** When it was registered. */
  readonly createdAt: string;
  /** When it was changed last. */
  readonly updatedAt: string;
}

/** What was done, by whom. The service keeps entries for 30 days. */
export interface AuditEntry {
  /** A UUID. */
  readonly id: string;
  /** When it was done. */
  readonly at: string;
  /** `Via API key` with the first 8 characters of the key's id, an admin's e-mail address, or `System`. */
  readonly actor: string;
  /** The id of the admin key that did it; null where it was none. */
  readonly apiKeyId: string | null;
  /** What was done, in a few words, such as `Origin added`. */
  readonly action: string;
  /** CLIENT, REGISTRATION, ADMIN or API_KEY. */
  readonly targetType: string;
  /** The id of what it was done to. */
  readonly targetId: string;
  /** The slug of the client that it is about; null where it is about none. */
  readonly clientSlug: string | null;
  /** What was done, in a sentence. It holds no secret. */
  readonly summary: string;
}

/** One of the admins. */
export interface AdminMember {
  /** A UUID. */
  readonly id: string;
  /** The address that the admin signs in with. */
  readonly email: string;
  /** True once the admin has signed in, and is one account at the identity provider from then on. */
  readonly bound: boolean;
  /** When the admin came onto the list. */
  readonly addedAt: string;
  /** An admin's e-mail address, or `System`. */
  readonly addedBy: string;
}

/** How the service is known at a provider. */
export interface AdminRegistration {
  /** A UUID. */
  readonly id: string;
  /** Where the service is registered. */
  readonly provider: Open<SocialProvider>;
  /** Whether it is in use. */
  readonly status: RegistrationStatus;
  /** The beginning of the client id. */
  readonly clientIdHint: string;
  /** What it can read. */
  readonly capabilities: readonly Open<Capability>[];
  /** Slugs of the clients it serves; null: it serves all. */
  readonly applications: readonly string[] | null;
  /** When it was changed last. */
  readonly updatedAt: string;
}

/** Whether a provider can be connected at all. */
export interface AdminProviderAvailability {
  /** Which one. */
  readonly provider: Open<SocialProvider>;
  /** A registration at the provider is published. */
  readonly available: boolean;
  /** Why not: NO_REGISTRATION, REGISTRATION_DRAFT, REGISTRATION_PAUSED or REGISTRATION_DISABLED. */
  readonly reason: string | null;
}

/** Which origins count as previews. */
export interface PreviewTemplate {
  /** For example `https://{label}.preview.example.app`; null where the deployment has none. */
  readonly template: string | null;
}

/** Where a page of a list stands in it. */
export interface PageInfo {
  /** What the next page is asked for with. */
  readonly endCursor: string | null;
  /** Whether there is more after this page. */
  readonly hasNextPage: boolean;
}

/** A page of the clients, in the order of their slugs. */
export interface AdminClientPage {
  /** The clients on it; the page may be short. */
  readonly items: readonly AdminClient[];
  /** Where it stands in the list. */
  readonly pageInfo: PageInfo;
}

/** A page of the audit log, the newest entry first. */
export interface AuditEntryPage {
  /** The entries on it; the page may be short. */
  readonly items: readonly AuditEntry[];
  /** Where it stands in the log. */
  readonly pageInfo: PageInfo;
}
