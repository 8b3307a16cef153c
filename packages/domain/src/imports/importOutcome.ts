import { CAPABILITIES, type Capability, type ConnectionStatus } from "@social-connect/contract";
import { type AuditedConnection, aboutClient, aboutConnection } from "../audit/about.ts";
import type { AuditRecord } from "../audit/auditRecord.ts";
import { changesOf, NOTHING_CHANGED } from "../audit/changes.ts";
import {
  type AccountLinkFacts,
  type LinkFollowUp,
  type LinkRequest,
  linkAccountChanges,
  linkAccountRefusal,
} from "../connect/link.ts";
import { type BackgroundDates, firstReadsLater } from "../jobs/backgroundReads.ts";
import type { ProviderFault } from "../jobs/retry.ts";
import { providerName } from "../providers/providerTraits.ts";

export const IMPORT_STATUSES = ["CONNECTED", "ALREADY_CONNECTED", "REFUSED", "INVALID", "LATER"] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** Why a line has no connection, by the status that it ends with. */
export const IMPORT_CODES = {
  INVALID_LINE: "INVALID",
  DUPLICATE_LINE: "INVALID",
  UNKNOWN_CLIENT: "INVALID",
  FORBIDDEN: "REFUSED",
  PROVIDER_NOT_AVAILABLE: "REFUSED",
  NOT_A_TESTER: "REFUSED",
  NO_CAPABILITY_GRANTED: "REFUSED",
  ACCOUNT_MISMATCH: "REFUSED",
  ACCOUNT_UNREADABLE: "REFUSED",
  GRANT_ENDED: "REFUSED",
  RENEWAL_INTERRUPTED: "REFUSED",
  PROVIDER_REFUSED: "REFUSED",
  ERASED: "REFUSED",
  DISCONNECT_IN_PROGRESS: "LATER",
  QUOTA_USED_UP: "LATER",
  RATE_LIMITED: "LATER",
  PROVIDER_UNAVAILABLE: "LATER",
  REGISTRATION_REFUSED: "LATER",
  SERVICE_FAULT: "LATER",
  STOPPED: "LATER",
} as const satisfies Record<string, ImportStatus>;
export type ImportCode = keyof typeof IMPORT_CODES;

/** The code of a provider's failure. What may pass is for later; what the provider said of the grant is final. */
export const IMPORT_CODE_OF_FAULT = {
  grant_gone: "GRANT_ENDED",
  access_expired: "GRANT_ENDED",
  scope_missing: "NO_CAPABILITY_GRANTED",
  account_unreadable: "ACCOUNT_UNREADABLE",
  rejected: "PROVIDER_REFUSED",
  rate_limited: "RATE_LIMITED",
  unavailable: "PROVIDER_UNAVAILABLE",
  application_refused: "REGISTRATION_REFUSED",
  internal: "SERVICE_FAULT",
} as const satisfies Record<ProviderFault["kind"], ImportCode>;

/** The capabilities that an import asks for: those of the line's scopes, as far as registration and client have them. */
export function importedCapabilities(
  named: readonly Capability[] | null,
  ...allowed: readonly { readonly capabilities: readonly Capability[] }[]
): Capability[] {
  return CAPABILITIES.filter(
    (one) => (named?.includes(one) ?? true) && allowed.every(({ capabilities }) => capabilities.includes(one)),
  );
}

export interface ImportRequest extends LinkRequest {
  /** The account that the file names; null: any. */
  readonly accountId: string | null;
}

export interface ImportFacts extends AccountLinkFacts {
  readonly existing: { readonly status: ConnectionStatus; readonly hasGrant: boolean } | null;
}

/** What happens to the account; it may have a connection that works, whose grant stays. */
export type ImportDecision =
  | ImportCode
  | "ALREADY_CONNECTED"
  | { readonly followUps: readonly LinkFollowUp[]; readonly dates: BackgroundDates };

/**
 * Links an account that the provider has named for an imported consent, by the rules of a connect attempt. A connection that
 * works keeps its own grant; one that has lost it gets this one.
 */
export function decideImport(
  request: ImportRequest,
  facts: ImportFacts,
  random: () => number,
  now: Date,
): ImportDecision {
  const { account, existing, granted } = facts;
  if (request.accountId !== null && request.accountId !== account.providerAccountId) return "ACCOUNT_MISMATCH";
  if (existing?.status === "CONNECTED" && existing.hasGrant) return "ALREADY_CONNECTED";
  return (
    linkAccountRefusal(request, facts) ?? {
      followUps: linkAccountChanges(request, facts, now),
      dates: firstReadsLater(granted, random, now),
    }
  );
}

/** `status` is that of the account's connection before; null: it had none. */
export function connectionImported(
  connection: AuditedConnection,
  connectedAt: Date | null,
  status: ConnectionStatus | null,
): AuditRecord {
  const before = connectedAt === null ? "" : ` It was linked elsewhere at ${connectedAt.toISOString()}.`;
  const summary = `Imported an account at ${providerName(connection.provider)}.${before}`;
  return aboutConnection(connection, "Connection imported", summary, changesOf({ status }, { status: "CONNECTED" }));
}

export type ImportCounts = Record<ImportStatus, number>;

export function connectionsImported(client: Parameters<typeof aboutClient>[0], counts: ImportCounts): AuditRecord {
  // Each connection has an entry of its own.
  return aboutClient(client, "Connections imported", `Ran an import: ${describeImport(counts)}.`, NOTHING_CHANGED);
}

export function noImportCounts(): ImportCounts {
  return Object.fromEntries(IMPORT_STATUSES.map((status) => [status, 0])) as ImportCounts;
}

/** Counts of lines, for people. */
export function describeImport({ CONNECTED, ALREADY_CONNECTED, REFUSED, INVALID, LATER }: ImportCounts): string {
  const connected = `${CONNECTED} connected, ${ALREADY_CONNECTED} already connected`;
  return `${connected}, ${REFUSED} refused, ${INVALID} invalid, ${LATER} for later`;
}
