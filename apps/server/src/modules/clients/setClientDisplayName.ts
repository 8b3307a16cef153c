import { AUDITED, checkDisplayName } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import { changeClient, enforceClientRule } from "./changeClient.ts";

export function setClientDisplayName(
  service: Service,
  actor: AdminActor,
  id: string,
  displayName: string,
): Promise<Application> {
  return changeClient(service, actor, id, (client) => {
    enforceClientRule(checkDisplayName(displayName));
    if (client.displayName === displayName) return null;
    return {
      data: { displayName },
      ...AUDITED.displayNameChanged(client.displayName, displayName),
    };
  });
}
