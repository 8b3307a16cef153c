import { AUDITED, checkRemoveOrigin } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import { changeClient, enforceClientRule } from "./changeClient.ts";

export function removeClientOrigin(
  service: Service,
  actor: AdminActor,
  id: string,
  origin: string,
): Promise<Application> {
  return changeClient(service, actor, id, (client) => {
    enforceClientRule(checkRemoveOrigin(client, origin));
    return {
      data: { webOrigins: client.webOrigins.filter((entry) => entry !== origin) },
      ...AUDITED.originRemoved(origin),
    };
  });
}
