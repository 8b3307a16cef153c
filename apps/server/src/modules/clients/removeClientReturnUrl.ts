import { AUDITED, checkRemoveReturnUrl } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import { changeClient, enforceClientRule } from "./changeClient.ts";

export function removeClientReturnUrl(
  service: Service,
  actor: AdminActor,
  id: string,
  url: string,
): Promise<Application> {
  return changeClient(service, actor, id, (client) => {
    enforceClientRule(checkRemoveReturnUrl(client, url));
    return {
      data: { returnUrls: client.returnUrls.filter((entry) => entry !== url) },
      ...AUDITED.returnUrlRemoved(url),
    };
  });
}
