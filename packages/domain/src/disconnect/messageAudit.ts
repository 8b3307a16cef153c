import { type AuditedConnection, aboutConnection } from "../audit/about.ts";
import type { AuditRecord } from "../audit/auditRecord.ts";
import { providerName } from "../providers/providerTraits.ts";

export function authorizationRemoved(connection: AuditedConnection): AuditRecord {
  const summary = `${providerName(connection.provider)} reported that the person removed the app`;
  return aboutConnection(connection, "Authorization removed", summary);
}

export function dataDeletionRequested(connection: AuditedConnection): AuditRecord {
  const what = "the person asks for the deletion of their data; disconnected the connection";
  const summary = `${providerName(connection.provider)} reported that ${what}`;
  return aboutConnection(connection, "Data deletion requested", summary);
}
