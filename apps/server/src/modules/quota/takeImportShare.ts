import { quotaWindow } from "@social-connect/domain";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { readQuota } from "../../providers/registration.ts";
import type { Service } from "../service.ts";
import { QuotaUsedUpError } from "./meteredAccess.ts";
import { takeUnit } from "./store.ts";

/** The budget that all imports of a registration share, beside those of its calls. */
const BUDGET = "imports";

/**
 * Takes a line from the share of the registration's quota that imports may use. Also after a restart, because the database counts.
 * A quota of each account is not shared with others. Throws QuotaUsedUpError.
 */
export async function takeImportShare(
  service: Service,
  registration: ProviderRegistration,
  share: number,
): Promise<void> {
  const {
    units,
    window: kind,
    per,
  } = readQuota(service.provider(registration.provider).traits.quota, registration.quota);
  if (per === "account") return;
  const now = await service.clock.now();
  const window = quotaWindow(kind, now);
  const limit = Math.max(1, Math.floor(units * share));
  const budget = { registrationId: registration.id, name: BUDGET, window };
  if (!(await takeUnit(service.pool, budget, limit, null))) throw new QuotaUsedUpError(window, now);
}
