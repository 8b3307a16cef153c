import { isTransientFault } from "@social-connect/domain";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { withRetries } from "../../platform/retry.ts";
import { type ProviderAccount, ProviderError, type ProviderSession } from "../../providers/contract.ts";
import { meteredAccess, type QuotaUse } from "../quota/meteredAccess.ts";
import { noteRefusal } from "../registrations/noteRefusal.ts";
import type { Service } from "../service.ts";

/**
 * Reads the account behind a new grant, which proves the grant: no connection is made without it. Throws ProviderError after
 * bounded retries.
 */
export async function readConsentedAccount(
  service: Service,
  stored: ProviderRegistration,
  session: ProviderSession,
  use: QuotaUse,
): Promise<ProviderAccount> {
  const registration = meteredAccess(service, stored, session.registration, use);
  const adapter = service.provider(stored.provider);
  return noteRefusal(service, stored, () =>
    withRetries(() => adapter.readAccount({ ...session, registration }), isTransient),
  );
}

export function isTransient(error: unknown): boolean {
  return error instanceof ProviderError && isTransientFault(error);
}
