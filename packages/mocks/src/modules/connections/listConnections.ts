import { LIMITS } from "@social-connect/contract";
import { checkTenant, connectionAsListed, enforce, isSameScope, type SubjectScope } from "@social-connect/domain";
import type { Connection } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { openCursor, sealCursor } from "../cursor.ts";
import { recheck, withOffered } from "./access.ts";

/**
 * The subject's connections in every status until they are erased, oldest first. A connection that fails its access check
 * is listed with the resulting status. Source: service description, parts 3 (rules 4 and 5) and 4.
 */
export function listConnections(
  world: World,
  { application }: Caller,
  scope: SubjectScope,
  page: { readonly first: number | null; readonly after: string | null },
) {
  enforce(checkTenant(application, scope.tenantKey, "FORBIDDEN"));
  const first = page.first ?? LIMITS.connectionsPageDefault;
  const binding = ["connections", application.id, scope.tenantKey, scope.externalSubjectId];
  const after = page.after === null ? null : openCursor(world, binding, page.after);

  const rows = [...world.state.connections.values()]
    .filter((one) => one.applicationId === application.id && isSameScope(one, scope))
    .sort((one, other) => compare(positionOf(one), positionOf(other)))
    .filter((one) => after === null || compare(positionOf(one), after) > 0);
  const shown = rows.slice(0, first);
  const last = shown.at(-1);
  const now = world.now();
  return {
    items: shown.map((row) => {
      const { id, provider, providerAccountId } = row;
      return {
        id,
        provider,
        providerAccountId,
        ...connectionAsListed(withOffered(world, row), recheck(world, row, application), now),
      };
    }),
    pageInfo: {
      endCursor: last === undefined ? page.after : sealCursor(world, binding, positionOf(last)),
      hasNextPage: rows.length > first,
    },
  };
}

function positionOf({ createdAt, id }: Connection): string[] {
  return [createdAt.toISOString(), id];
}

function compare(one: readonly string[], other: readonly string[]): number {
  const [a, b] = [one.join(" "), other.join(" ")];
  return a < b ? -1 : a > b ? 1 : 0;
}
