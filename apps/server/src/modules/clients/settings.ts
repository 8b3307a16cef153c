import type { Capability, SocialProvider } from "@social-connect/contract";
import { CAPABILITIES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { AUDITED, checkDisplayName, checkDistinct, checkIdentityReturnUrls } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import { cancelAttemptsOf } from "../connect/endAttempts.ts";
import { failIdentityAttemptsOf } from "../identity/identityAttempt.ts";
import type { Service } from "../service.ts";
import { changeClient, enforceClientRule, originRules } from "./changeClient.ts";

/**
 * Switches a client on or off. Off, its keys are FORBIDDEN at the next call, and what its users have begun and not
 * finished ends at once.
 */
export function setClientEnabled(
  service: Service,
  actor: AdminActor,
  id: string,
  enabled: boolean,
): Promise<Application> {
  return changeClient(service, actor, id, async (client, transaction, now) => {
    if (client.enabled === enabled) return null;
    if (enabled) return { data: { enabled }, ...AUDITED.clientEnabled(client.slug) };
    const canceled = await cancelAttemptsOf(transaction, client.id, now);
    const failed = await failIdentityAttemptsOf(transaction, client.id, now);
    return { data: { enabled }, ...AUDITED.clientDisabled(client.slug, canceled + failed) };
  });
}

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

interface ClientPolicy {
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

/** Whether pages on origins that match the deployment's preview template may start and finish attempts. */
export function setClientPreviewOrigins(
  service: Service,
  actor: AdminActor,
  id: string,
  enabled: boolean,
): Promise<Application> {
  return changeClient(service, actor, id, (client) => {
    if (client.previewOriginsEnabled === enabled) return null;
    return {
      data: { previewOriginsEnabled: enabled },
      ...AUDITED.previewOriginsSwitched(enabled),
    };
  });
}

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
