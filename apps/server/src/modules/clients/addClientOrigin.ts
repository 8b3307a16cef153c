import { AUDITED, checkAddOrigin } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import { changeClient, enforceClientRule, originRules } from "./changeClient.ts";

export function addClientOrigin(service: Service, actor: AdminActor, id: string, origin: string): Promise<Application> {
  return changeClient(service, actor, id, (client) => {
    enforceClientRule(checkAddOrigin(client, origin, originRules(service)));
    return {
      data: { webOrigins: [...client.webOrigins, origin] },
      ...AUDITED.originAdded(origin),
    };
  });
}
