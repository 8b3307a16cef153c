import { type ErrorCode, LIMITS } from "@social-connect/contract";
import {
  AppError,
  type CursorQuery,
  connectionAsListed,
  connectionsQuery,
  type SubjectScope,
} from "@social-connect/domain";
import { openCursor, sealCursor } from "../../platform/cursor.ts";
import type { SecretBox } from "../../platform/secrets/secretBox.ts";
import { enforceTenant } from "../applications/explainTenant.ts";
import type { Reader } from "../applications/readForKey.ts";
import type { Service } from "../service.ts";
import { recheck, type ViewRow, viewRow } from "./accessRow.ts";
import type { ConnectionShown } from "./readConnection.ts";
import { type ConnectionPosition, findViewRows } from "./store.ts";

export type ConnectionPage = Awaited<ReturnType<typeof listConnections>>;

/**
 * Lists the subject's connections in every status until they are erased, oldest first. A row that fails its re-check
 * shows its new status and does not fail the page. Source: service description, parts 3 (rules 4 and 5) and 4.
 */
export async function listConnections(
  service: Service,
  reader: Reader,
  scope: SubjectScope,
  page: { readonly first: number | null; readonly after: string | null },
) {
  const first = page.first ?? LIMITS.connectionsPageDefault;
  const binding = connectionsQuery(reader.application.id, scope);
  const after = page.after === null ? null : readPosition(service.secretBox, binding, page.after);
  const now = await service.clock.now();
  const from = after instanceof AppError ? null : after;
  const { row, policy } = await findViewRows(service, reader, scope, { first, after: from }, now);
  enforceTenant(service, policy, scope.tenantKey, "FORBIDDEN");
  if (after instanceof AppError) throw after;
  const connections = row?.connections ?? [];
  const shown = connections.slice(0, first);
  const last = shown.at(-1);
  return {
    items: shown.map((one) => show(one, recheck(one, scope.tenantKey, policy, now), now)),
    pageInfo: {
      endCursor:
        last === undefined
          ? page.after
          : sealCursor(service.secretBox, binding, [new Date(last.createdAt).toISOString(), last.id]),
      hasNextPage: connections.length > first,
    },
  };
}

/** The position of a cursor, or its error, which matters only if the tenant is registered. */
function readPosition(secretBox: SecretBox, binding: CursorQuery, cursor: string): ConnectionPosition | AppError {
  try {
    const [createdAt = "", id = ""] = openCursor(secretBox, binding, cursor);
    return { createdAt: new Date(createdAt), id };
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function show(row: ViewRow, recheckCode: ErrorCode | null, now: Date): ConnectionShown {
  const { id, provider, providerAccountId } = row;
  return { id, provider, providerAccountId, ...connectionAsListed(viewRow(row, now), recheckCode, now) };
}
