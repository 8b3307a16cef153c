import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import { moveStoredRegistration } from "./changeRegistration.ts";

/** Starts no connection any more; those that are there wait, and reading one is AUTHORIZATION_SUSPENDED. */
export function pauseRegistration(service: Service, actor: AdminActor, id: string): Promise<ProviderRegistration> {
  return moveStoredRegistration(service, actor, id, "PAUSE");
}

/** Serves nobody any more: reading a connection of it is CAPABILITY_UNAVAILABLE. */
export function disableRegistration(service: Service, actor: AdminActor, id: string): Promise<ProviderRegistration> {
  return moveStoredRegistration(service, actor, id, "DISABLE");
}
