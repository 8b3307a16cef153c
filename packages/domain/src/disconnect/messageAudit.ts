import type { SocialProvider } from "@social-connect/contract";
import type { AuditRecord } from "../audit/auditRecord.ts";
import { providerName } from "../providers/providerTraits.ts";

interface ReportedConnection {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly clientSlug: string;
}

/** The audit entry of a connection whose grant ended by a provider's message. */
export function authorizationRemoved({ id, provider, clientSlug }: ReportedConnection): AuditRecord {
  return {
    action: "Authorization removed",
    target: { type: "CONNECTION", id },
    clientSlug,
    summary: `${providerName(provider)} reported that the person removed the app`,
  };
}

/** The audit entry of a connection that a provider's data deletion request disconnects. */
export function dataDeletionRequested({ id, provider, clientSlug }: ReportedConnection): AuditRecord {
  return {
    action: "Data deletion requested",
    target: { type: "CONNECTION", id },
    clientSlug,
    summary: `${providerName(provider)} reported that the person asks for the deletion of their data; disconnected the connection`,
  };
}
