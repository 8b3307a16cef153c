import { AUDITED, checkAddTenantKey } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import { changeClient, enforceClientRule } from "./changeClient.ts";

export function addClientTenantKey(
  service: Service,
  actor: AdminActor,
  id: string,
  tenantKey: string,
): Promise<Application> {
  return changeClient(service, actor, id, (client) => {
    enforceClientRule(checkAddTenantKey(client, tenantKey));
    return {
      data: { tenantKeys: [...client.tenantKeys, tenantKey] },
      ...AUDITED.tenantKeyAdded(tenantKey),
    };
  });
}
