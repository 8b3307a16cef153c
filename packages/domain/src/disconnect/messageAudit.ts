import { type AuditedConnection, aboutConnection } from "../audit/about.ts";
import type { AuditRecord } from "../audit/auditRecord.ts";
import type { AuditChange } from "../audit/changes.ts";
import { providerName } from "../providers/providerTraits.ts";

type Changes = readonly AuditChange[];

export function authorizationRemoved(connection: AuditedConnection, changes: Changes): AuditRecord {
  const summary = `${providerName(connection.provider)} reported that the person removed the app`;
  return aboutConnection(connection, "Authorization removed", summary, changes);
}

export function dataDeletionRequested(connection: AuditedConnection, changes: Changes): AuditRecord {
  const what = "the person asks for the deletion of their data; disconnected the connection";
  const summary = `${providerName(connection.provider)} reported that ${what}`;
  return aboutConnection(connection, "Data deletion requested", summary, changes);
}
