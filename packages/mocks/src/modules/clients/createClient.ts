import type { Capability, SocialProvider } from "@social-connect/contract";
import {
  AUDITED,
  checkDisplayName,
  checkDistinct,
  checkNewClient,
  checkNoOnwardRedirect,
  checkSlug,
} from "@social-connect/domain";
import type { Application } from "../../state/state.ts";
import { newApplication } from "../../world/initialState.ts";
import type { World } from "../../world/world.ts";
import type { AdminActor } from "../admin/actor.ts";
import { ConflictError, enforceClientRule } from "../admin/errors.ts";
import { originRules } from "../admin/originRules.ts";
import { recordAudit } from "../audit/audit.ts";

export interface CreateClientInput {
  readonly slug: string;
  readonly displayName: string;
  readonly webOrigins: readonly string[];
  readonly returnUrls: readonly string[];
  readonly tenantKeys: readonly string[];
  readonly providers: readonly SocialProvider[];
  readonly capabilities: readonly Capability[];
  readonly confirmedNoOnwardRedirect: boolean;
}

/** Registers a client. It starts enabled, without a key. CONFLICT with SLUG_TAKEN when the slug is another's. */
export function createClient(world: World, actor: AdminActor, input: CreateClientInput): Application {
  const { confirmedNoOnwardRedirect, displayName, ...client } = input;
  enforceClientRule(
    checkNoOnwardRedirect(confirmedNoOnwardRedirect) ??
      checkSlug(client.slug) ??
      checkDisplayName(displayName) ??
      checkNewClient(client, originRules(world)) ??
      checkDistinct("providers", client.providers) ??
      checkDistinct("capabilities", client.capabilities),
  );
  const { applications } = world.state;
  if ([...applications.values()].some((one) => one.slug === client.slug)) {
    throw new ConflictError("SLUG_TAKEN", "Another client has this slug.");
  }
  const options = { ...client, identityReturnUrls: [], idpIdentityEnabled: false };
  const created: Application = { ...newApplication(world.newId(), options, world.now()), displayName };
  applications.set(created.id, created);
  recordAudit(world, {
    actor,
    ...AUDITED.clientCreated(created),
    target: { type: "CLIENT", id: created.id },
    clientSlug: created.slug,
  });
  return created;
}
