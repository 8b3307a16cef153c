import type { Capability, SocialProvider } from "@social-connect/contract";
import { aboutClient } from "../audit/about.ts";
import { changesOf } from "../audit/changes.ts";
import { type AuditedChange, auditedChange } from "../decisions/change.ts";
import { type AdminRefusal, conflict } from "../decisions/refusal.ts";
import { NO_BRANDING } from "./branding.ts";
import { type Client, type Mode, originRules } from "./client.ts";
import { checkNewClient } from "./clientRules.ts";

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

/** A new client is enabled and has no key. */
export function decideCreateClient(
  { slugIsTaken, mode }: { readonly slugIsTaken: boolean; readonly mode: Mode },
  input: CreateClientInput,
  id: string,
  now: Date,
): AdminRefusal | AuditedChange<Client> {
  const refusal = checkNewClient(input, originRules(mode));
  if (refusal !== null) return refusal;
  if (slugIsTaken) return conflict("SLUG_TAKEN", "Another client has this slug. Choose another slug.");
  const patch: Client = {
    id,
    slug: input.slug,
    displayName: input.displayName,
    enabled: true,
    webOrigins: [...input.webOrigins],
    returnUrls: [...input.returnUrls],
    identityReturnUrls: [],
    providers: [...input.providers],
    capabilities: [...input.capabilities],
    tenantKeys: [...input.tenantKeys],
    previewOriginsEnabled: false,
    previewReturnPaths: [],
    idpIdentityEnabled: false,
    ...NO_BRANDING,
    createdAt: now,
    updatedAt: now,
  };
  const summary = `Created the client ${input.slug} with the origins ${input.webOrigins.join(", ")}.`;
  return auditedChange(patch, aboutClient(patch, "Client created", summary, changesOf(null, patch)));
}
