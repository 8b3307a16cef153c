import { LIMITS } from "@social-connect/contract";
import type { SubjectScope } from "@social-connect/domain";
import { checkTenant, connectionAsListed, enforce } from "@social-connect/domain";
import { openCursor, sealCursor } from "../../platform/cursor.ts";
import type { Caller } from "../applications/authenticate.ts";
import type { Service } from "../service.ts";
import type { AccessRow } from "./accessRow.ts";
import { recheck, viewRow } from "./accessRow.ts";
import type { ConnectionShown } from "./readConnection.ts";
import { findAccessRows } from "./store.ts";

export interface ConnectionPage {
  readonly items: readonly ConnectionShown[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

/**
 * Lists the subject's connections in every status until they are erased, oldest first. A row that fails its re-check
 * shows its new status and does not fail the page. Source: service description, parts 3 (rules 4 and 5) and 4.
 */
export async function listConnections(
  service: Service,
  caller: Caller,
  scope: SubjectScope,
  page: { readonly first: number | null; readonly after: string | null },
): Promise<ConnectionPage> {
  enforce(checkTenant(caller.application, scope.tenantKey, "FORBIDDEN"));
  const first = page.first ?? LIMITS.connectionsPageDefault;
  const binding = ["connections", caller.application.id, scope.tenantKey, scope.externalSubjectId];
  const after = page.after === null ? null : positionOf(openCursor(service.secretBox, binding, page.after));
  const [rows, now] = await Promise.all([
    findAccessRows(service.pool, caller.application.id, scope, first, after),
    service.clock.now(),
  ]);
  const shown = rows.slice(0, first);
  const last = shown.at(-1);
  return {
    items: shown.map((row) => show(row, caller, now)),
    pageInfo: {
      endCursor:
        last === undefined
          ? page.after
          : sealCursor(service.secretBox, binding, [last.createdAt.toISOString(), last.id]),
      hasNextPage: rows.length > first,
    },
  };
}

function positionOf([createdAt = "", id = ""]: readonly string[]) {
  return { createdAt: new Date(createdAt), id };
}

function show(row: AccessRow, caller: Caller, now: Date): ConnectionShown {
  const { id, provider, providerAccountId } = row;
  return { id, provider, providerAccountId, ...connectionAsListed(viewRow(row, now), recheck(row, caller, now), now) };
}
