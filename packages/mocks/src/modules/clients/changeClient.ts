import type { AuditAction } from "@social-connect/domain";
import type { Application } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import type { AdminActor } from "../admin/actor.ts";
import { ConflictError, NotFoundError } from "../admin/errors.ts";
import { recordAudit } from "../audit/audit.ts";
import { failUnreturnable } from "../connect/failUnreturnable.ts";

export interface ClientChange {
  readonly data: Partial<Application>;
  readonly action: AuditAction;
  readonly summary: string;
}

/**
 * Changes a client, and writes that down. `decide` looks at it as it is and throws, says what is to change, or gives null
 * when it is so already. CONFLICT with ROW_BUSY while a test holds the client.
 */
export function changeClient(
  world: World,
  actor: AdminActor,
  id: string,
  decide: (client: Application) => ClientChange | null,
): Application {
  const client = lockClient(world, id);
  const change = decide(client);
  if (change === null) return client;
  const { data, action, summary } = change;
  recordAudit(world, { actor, action, target: { type: "CLIENT", id: client.id }, clientSlug: client.slug, summary });
  Object.assign(client, data, { updatedAt: world.now() });
  failUnreturnable(world, client);
  return client;
}

/** The client as one that may be changed now. */
export function lockClient(world: World, id: string): Application {
  const client = readClient(world, id);
  if (world.state.heldApplicationIds.includes(client.id)) {
    throw new ConflictError("ROW_BUSY", "Another change is under way. Try once more.");
  }
  return client;
}

export function readClient(world: World, id: string): Application {
  const client = world.state.applications.get(id.toLowerCase());
  if (client === undefined) throw new NotFoundError("The client");
  return client;
}
