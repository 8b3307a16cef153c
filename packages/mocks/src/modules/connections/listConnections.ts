import { LIMITS } from "@social-connect/contract";
import { connectionAsListed, connectionsQuery, isSameScope, type SubjectScope } from "@social-connect/domain";
import type { Connection } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { pageOf } from "../admin/page.ts";
import type { Caller } from "../applications/authenticate.ts";
import { enforceTenant } from "../applications/explainTenant.ts";
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
  enforceTenant(world, application, scope.tenantKey, "FORBIDDEN");
  const rows = [...world.state.connections.values()]
    .filter((one) => one.applicationId === application.id && isSameScope(one, scope))
    .sort((one, other) => (positionOf(one) < positionOf(other) ? -1 : 1));
  const first = page.first ?? LIMITS.connectionsPageDefault;
  const { items, pageInfo } = pageOf(
    world,
    rows,
    { first, after: page.after },
    {
      binding: connectionsQuery(application.id, scope),
      positionOf,
      isAfter: (row, position) => positionOf(row) > position,
    },
  );
  const now = world.now();
  return {
    items: items.map((row) => {
      const { id, provider, providerAccountId } = row;
      return {
        id,
        provider,
        providerAccountId,
        ...connectionAsListed(withOffered(world, row), recheck(world, row, application), now),
      };
    }),
    pageInfo: { ...pageInfo, endCursor: pageInfo.endCursor ?? page.after },
  };
}

function positionOf({ createdAt, id }: Connection): string {
  return `${createdAt.toISOString()} ${id}`;
}
