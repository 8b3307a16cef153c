import type { Capability, SocialProvider } from "@social-connect/contract";
import { CAPABILITIES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { AUDITED, checkDistinct } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import { changeClient, enforceClientRule } from "./changeClient.ts";

export interface ClientPolicy {
  readonly providers: readonly SocialProvider[];
  readonly capabilities: readonly Capability[];
}

/** What a client may do from the next read on; connections it may no longer read stay, unread (service description, part 3). */
export function setClientPolicy(
  service: Service,
  actor: AdminActor,
  id: string,
  policy: ClientPolicy,
): Promise<Application> {
  return changeClient(service, actor, id, (client) => {
    enforceClientRule(
      checkDistinct("providers", policy.providers) ?? checkDistinct("capabilities", policy.capabilities),
    );
    const providers = SOCIAL_PROVIDERS.filter((provider) => policy.providers.includes(provider));
    const capabilities = CAPABILITIES.filter((capability) => policy.capabilities.includes(capability));
    if (isSame(client.providers, providers) && isSame(client.capabilities, capabilities)) return null;
    return {
      data: { providers, capabilities },
      ...AUDITED.policyChanged(providers, capabilities),
    };
  });
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value) => right.includes(value));
}
