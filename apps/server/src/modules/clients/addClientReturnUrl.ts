import { AUDITED, checkAddReturnUrl, checkNoOnwardRedirect } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import { changeClient, enforceClientRule, originRules } from "./changeClient.ts";

export function addClientReturnUrl(
  service: Service,
  actor: AdminActor,
  id: string,
  { url, confirmedNoOnwardRedirect }: { readonly url: string; readonly confirmedNoOnwardRedirect: boolean },
): Promise<Application> {
  return changeClient(service, actor, id, (client) => {
    enforceClientRule(
      checkNoOnwardRedirect(confirmedNoOnwardRedirect) ?? checkAddReturnUrl(client, url, originRules(service)),
    );
    return {
      data: { returnUrls: [...client.returnUrls, url] },
      ...AUDITED.returnUrlAdded(url),
    };
  });
}
