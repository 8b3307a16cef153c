import { AUDITED, checkIdentityReturnUrls } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import { changeClient, enforceClientRule, originRules } from "./changeClient.ts";

/** Switches the identity sign-in for a client, and registers where it may end; `returnUrls` null leaves those as they are. */
export function setClientIdpIdentity(
  service: Service,
  actor: AdminActor,
  id: string,
  { enabled, returnUrls }: { readonly enabled: boolean; readonly returnUrls: readonly string[] | null },
): Promise<Application> {
  return changeClient(service, actor, id, (client) => {
    const urls = returnUrls ?? client.identityReturnUrls;
    enforceClientRule(checkIdentityReturnUrls(client, { enabled, urls }, originRules(service)));
    if (client.idpIdentityEnabled === enabled && isSame(client.identityReturnUrls, urls)) return null;
    return {
      data: { idpIdentityEnabled: enabled, identityReturnUrls: [...urls] },
      ...AUDITED.identityChanged(enabled, urls),
    };
  });
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value) => right.includes(value));
}
