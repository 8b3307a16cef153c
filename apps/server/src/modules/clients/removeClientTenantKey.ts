import { AUDITED, checkRemoveTenantKey } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import { changeClient, enforceClientRule } from "./changeClient.ts";

/** What belongs to the tenant stays stored, and is FORBIDDEN from the next read on (service description, part 3). */
export function removeClientTenantKey(
  service: Service,
  actor: AdminActor,
  id: string,
  tenantKey: string,
): Promise<Application> {
  return changeClient(service, actor, id, (client) => {
    enforceClientRule(checkRemoveTenantKey(client, tenantKey));
    return {
      data: { tenantKeys: client.tenantKeys.filter((entry) => entry !== tenantKey) },
      ...AUDITED.tenantKeyRemoved(tenantKey),
    };
  });
}
