import { AUDITED, checkAddPreviewReturnPath } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import { changeClient, enforceClientRule } from "./changeClient.ts";

export function addClientPreviewReturnPath(
  service: Service,
  actor: AdminActor,
  id: string,
  path: string,
): Promise<Application> {
  return changeClient(service, actor, id, (client) => {
    enforceClientRule(checkAddPreviewReturnPath(client, path));
    return {
      data: { previewReturnPaths: [...client.previewReturnPaths, path] },
      ...AUDITED.previewReturnPathAdded(path),
    };
  });
}
