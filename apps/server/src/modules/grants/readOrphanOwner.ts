import type { GrantOwner } from "@social-connect/domain";
import { type ProviderAdapter, ProviderError } from "../../providers/contract.ts";
import { meteredAccess } from "../quota/meteredAccess.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { sealOwner } from "./grantOwner.ts";
import { livePendingGrant } from "./liveGrant.ts";

/**
 * Reads the account of an orphaned grant and stores it with the grant. Null if the provider does not return it. Throws
 * ProviderError for transient failures.
 */
export async function readOrphanOwner(
  service: Service,
  adapter: ProviderAdapter,
  orphan: RowKey & { readonly attempt: { readonly applicationId: string } | null },
): Promise<GrantOwner | null> {
  const { id, applicationId, attempt } = orphan;
  try {
    const { grant, tokens, registration } = await livePendingGrant(service, orphan);
    const account = await adapter.readAccount({
      registration: meteredAccess(service, grant.registration, registration, {
        urgency: "background",
        applicationId: attempt?.applicationId ?? null,
        providerAccountId: null,
      }),
      accessToken: tokens.accessToken,
      providerAccountId: null,
      capabilities: [],
    });
    const ownerSealed = sealOwner(service.secretBox, id, account);
    await service.prisma.grant.updateMany({ where: { id, applicationId, status: "PENDING" }, data: { ownerSealed } });
    return account;
  } catch (error) {
    const isFinal =
      error instanceof ProviderError &&
      !(["unavailable", "rate_limited", "internal"] as readonly string[]).includes(error.kind);
    if (isFinal) return null;
    throw error;
  }
}
