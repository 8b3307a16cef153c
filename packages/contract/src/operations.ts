import type { AdminOperationClass } from "./enums.ts";

/** Whether an operation is a field of the schema's `Query` or of its `Mutation`. */
export type OperationKind = "query" | "mutation";

/**
 * What sending an operation a second time does:
 * - `read`: nothing;
 * - `same`: nothing new, because the service returns the refresh in flight or the same two receipts;
 * - `another`: a second attempt, lookup or redemption.
 */
export type RepeatEffect = "read" | "same" | "another";

/** An operation of the consumer API. */
export interface ConsumerOperation {
  /** Its root type in the schema. */
  readonly kind: OperationKind;
  /** What decides whether a client may retry it. */
  readonly repeat: RepeatEffect;
}

/** The operations of the consumer API. */
export const CONSUMER_OPERATIONS = {
  status: { kind: "query", repeat: "read" },
  integrationReadiness: { kind: "query", repeat: "read" },
  connectSessionResult: { kind: "query", repeat: "read" },
  connection: { kind: "query", repeat: "read" },
  connections: { kind: "query", repeat: "read" },
  content: { kind: "query", repeat: "read" },
  contentItem: { kind: "query", repeat: "read" },
  syncJob: { kind: "query", repeat: "read" },
  requestRefresh: { kind: "mutation", repeat: "same" },
  disconnectConnection: { kind: "mutation", repeat: "same" },
  createConnectSession: { kind: "mutation", repeat: "another" },
  requestContentLookup: { kind: "mutation", repeat: "another" },
  createIdpIdentitySession: { kind: "mutation", repeat: "another" },
  redeemIdpIdentityResult: { kind: "mutation", repeat: "another" },
} as const satisfies Readonly<Record<string, ConsumerOperation>>;
/** The name of an operation of the consumer API. */
export type ConsumerOperationName = keyof typeof CONSUMER_OPERATIONS;

/** An operation of the admin API. */
export interface AdminOperation {
  /** Its root type in the schema. */
  readonly kind: OperationKind;
  /** Who may call it. */
  readonly access: AdminOperationClass;
  /**
   * Whether the admin must have signed in within the last 5 minutes. True for operations that grant access, send
   * credentials to a new URL, or show or change a user's connection; never for operations that an API key may call. See `docs/explanation/admin-access.md`.
   */
  readonly needsConfirmation: boolean;
}

const readable = { kind: "query", access: "READ", needsConfirmation: false } as const;
const write = { kind: "mutation", access: "WRITE", needsConfirmation: false } as const;
const panelRead = { kind: "query", access: "PANEL", needsConfirmation: false } as const;
const panelWrite = { kind: "mutation", access: "PANEL", needsConfirmation: false } as const;
const confirmedWrite = { kind: "mutation", access: "PANEL", needsConfirmation: true } as const;

/** The operations of the admin API that an API key may call. */
export const API_KEY_OPERATIONS = {
  previewTemplate: readable,
  adminMembers: readable,
  adminAuditEntries: readable,
  adminClients: readable,
  adminClient: readable,
  adminProviderAvailability: readable,
  adminRegistrations: readable,
  createClient: write,
  setClientEnabled: write,
  setClientDisplayName: write,
  setClientBranding: write,
  setClientPolicy: write,
  addClientTenantKey: write,
  removeClientTenantKey: write,
  addClientOrigin: write,
  removeClientOrigin: write,
  addClientReturnUrl: write,
  removeClientReturnUrl: write,
  setClientPreviewOrigins: write,
  addClientPreviewReturnPath: write,
  removeClientPreviewReturnPath: write,
} as const satisfies Readonly<Record<string, AdminOperation>>;
/** The name of an operation that an API key may call. */
export type ApiKeyOperationName = keyof typeof API_KEY_OPERATIONS;

/** All operations of the admin API, including operations that only the panel may call. */
export const ADMIN_OPERATIONS = {
  ...API_KEY_OPERATIONS,
  apiKeys: panelRead,
  apiKeyDetail: panelRead,
  activeApiKeysOf: panelRead,
  searchClients: panelRead,
  clientCredentials: panelRead,
  clientTesters: panelRead,
  clientConnections: panelRead,
  eventEndpoints: panelRead,
  failingEventEndpoints: panelRead,
  events: panelRead,
  searchAuditEntries: panelRead,
  auditEntry: panelRead,
  auditChanges: panelRead,
  auditActions: panelRead,
  plannedTouch: panelRead,
  lastTouch: panelRead,
  registrationDetail: panelRead,
  serviceOverview: panelRead,
  serviceActivity: panelRead,
  deployment: panelRead,
  adminSdkVersions: panelRead,
  adminClientsOfSdkVersion: panelRead,
  adminConnections: panelRead,
  adminConnectionCounts: panelRead,
  searchConnections: panelRead,
  searchConnectAttempts: panelRead,
  findByReference: panelRead,
  viewedConnection: panelRead,
  suggestUsers: panelRead,
  findPeople: panelRead,
  person: panelRead,
  mintApiKey: confirmedWrite,
  revokeApiKey: panelWrite,
  addAdminMember: confirmedWrite,
  removeAdminMember: confirmedWrite,
  issueClientCredential: confirmedWrite,
  revokeClientCredential: panelWrite,
  setClientIdpIdentity: confirmedWrite,
  addClientTester: panelWrite,
  setClientTesterNote: panelWrite,
  removeClientTester: panelWrite,
  addEventEndpoint: confirmedWrite,
  changeEventEndpoint: confirmedWrite,
  rotateEventEndpointSecret: confirmedWrite,
  removeEventEndpoint: panelWrite,
  resendEvents: panelWrite,
  sendTestEvent: panelWrite,
  createRegistration: panelWrite,
  updateRegistration: confirmedWrite,
  setRegistrationQuota: confirmedWrite,
  publishRegistration: confirmedWrite,
  pauseRegistration: panelWrite,
  disableRegistration: panelWrite,
  viewConnection: confirmedWrite,
  rescanConnection: confirmedWrite,
  retryJob: confirmedWrite,
  disconnectForUser: confirmedWrite,
  erasePerson: confirmedWrite,
} as const satisfies Readonly<Record<string, AdminOperation>>;
/** The name of an operation of the admin API. */
export type AdminOperationName = keyof typeof ADMIN_OPERATIONS;

/** Returns the operation of the admin API with this name, or null. */
export function findAdminOperation(name: string): AdminOperation | null {
  return Object.hasOwn(ADMIN_OPERATIONS, name) ? ADMIN_OPERATIONS[name as AdminOperationName] : null;
}
