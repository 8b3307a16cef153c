import { AUDITED } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import { cancelAttemptsOf } from "../connect/cancelAttemptsOf.ts";
import { failIdentityAttemptsOf } from "../identity/failIdentityAttemptsOf.ts";
import type { Service } from "../service.ts";
import { changeClient } from "./changeClient.ts";

/**
 * Switches a client on or off. Off, its keys are FORBIDDEN at the next call, and what its users have begun and not
 * finished ends at once.
 */
export function setClientEnabled(
  service: Service,
  actor: AdminActor,
  id: string,
  enabled: boolean,
): Promise<Application> {
  return changeClient(service, actor, id, async (client, transaction, now) => {
    if (client.enabled === enabled) return null;
    if (enabled) return { data: { enabled }, ...AUDITED.clientEnabled(client.slug) };
    const canceled = await cancelAttemptsOf(transaction, client.id, now);
    const failed = await failIdentityAttemptsOf(transaction, client.id, now);
    return { data: { enabled }, ...AUDITED.clientDisabled(client.slug, canceled + failed) };
  });
}
