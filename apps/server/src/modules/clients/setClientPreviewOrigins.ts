import { AUDITED } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import { changeClient } from "./changeClient.ts";

/** Whether pages on origins that match the deployment's preview template may start and finish attempts. */
export function setClientPreviewOrigins(
  service: Service,
  actor: AdminActor,
  id: string,
  enabled: boolean,
): Promise<Application> {
  return changeClient(service, actor, id, (client) => {
    if (client.previewOriginsEnabled === enabled) return null;
    return {
      data: { previewOriginsEnabled: enabled },
      ...AUDITED.previewOriginsSwitched(enabled),
    };
  });
}
