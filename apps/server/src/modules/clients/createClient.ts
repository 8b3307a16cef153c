import type { Capability, SocialProvider } from "@social-connect/contract";
import {
  AUDITED,
  checkDisplayName,
  checkDistinct,
  checkNewClient,
  checkNoOnwardRedirect,
  checkSlug,
} from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { ConflictError } from "../admin/errors.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { enforceClientRule, originRules } from "./changeClient.ts";

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
export async function createClient(
  service: Service,
  actor: AdminActor,
  input: CreateClientInput,
): Promise<Application> {
  const { confirmedNoOnwardRedirect, ...client } = input;
  enforceClientRule(
    checkNoOnwardRedirect(confirmedNoOnwardRedirect) ??
      checkSlug(client.slug) ??
      checkDisplayName(client.displayName) ??
      checkNewClient(client, originRules(service)) ??
      checkDistinct("providers", client.providers) ??
      checkDistinct("capabilities", client.capabilities),
  );
  const now = await service.clock.now();
  const id = newId();
  return adminTransaction(service, async (transaction) => {
    const { count } = await transaction.application.createMany({
      data: [
        {
          id,
          slug: client.slug,
          displayName: client.displayName,
          webOrigins: [...client.webOrigins],
          returnUrls: [...client.returnUrls],
          tenantKeys: [...client.tenantKeys],
          providers: [...client.providers],
          capabilities: [...client.capabilities],
          createdAt: now,
          updatedAt: now,
        },
      ],
      skipDuplicates: true,
    });
    if (count === 0) throw new ConflictError("SLUG_TAKEN", "Another client has this slug.");
    await recordAudit(transaction, {
      actor,
      at: now,
      ...AUDITED.clientCreated(client),
      target: { type: "CLIENT", id },
      clientSlug: client.slug,
    });
    return transaction.application.findUniqueOrThrow({ where: { id } });
  });
}
