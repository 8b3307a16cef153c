import { quotaWindow } from "@social-connect/domain";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/hash.ts";
import type { ProviderQuota, RegistrationAccess } from "../../providers/contract.ts";
import { readQuota } from "../../providers/registration.ts";
import type { Service } from "../service.ts";
import { QuotaUsedUpError } from "./quotaUsedUpError.ts";
import type { Budget } from "./store.ts";
import { raiseUsed, takeUnit } from "./store.ts";

/** The purpose of a provider call. */
export interface QuotaUse {
  /** Whether this is a scheduled read, which leaves a reserve of the budget for requested reads. */
  readonly background: boolean;
  /** The account; null before the account is known. */
  readonly providerAccountId: string | null;
}

/**
 * Wraps the registration's `fetch` so that each call of the read API first takes a unit from the budget that all
 * processes share. Throws QuotaUsedUpError without a call if the budget is used up.
 */
export function meteredAccess(
  service: Service,
  registration: ProviderRegistration,
  access: RegistrationAccess,
  use: QuotaUse,
): RegistrationAccess {
  const adapter = service.provider(registration.provider);
  const quota = readQuota(adapter.traits.quota, registration.quota);
  const limit = use.background ? Math.floor(quota.units * (1 - quota.reserve)) : quota.units;
  const fetch: typeof access.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (!address.startsWith(`${access.addresses.api}/`)) return access.fetch(input, init);
    const now = await service.clock.now();
    const budget: Budget = {
      registrationId: registration.id,
      name: budgetOf(quota.per, registration.id, new URL(address).pathname, use.providerAccountId),
      window: quotaWindow(quota.window, now),
    };
    if (!(await takeUnit(service.pool, budget, limit))) throw new QuotaUsedUpError(budget.window, now);
    const response = await access.fetch(input, init);
    const share = adapter.readUsage?.(response.headers) ?? null;
    // A provider's usage header does not cover our window, so it throttles only background reads. Requested reads still
    // call the provider. A rejection states its own retry time. A small share would not change the decision.
    if (response.ok && share !== null && share >= (1 - quota.reserve) / 2) {
      await raiseUsed(service.pool, budget, Math.floor(Math.min(share, 1 - quota.reserve) * quota.units));
    }
    return response;
  };
  return { ...access, fetch };
}

/** The name of a budget within its registration. */
function budgetOf(
  per: ProviderQuota["per"],
  registrationId: string,
  path: string,
  providerAccountId: string | null,
): string {
  switch (per) {
    case "client":
      return "client";
    case "read":
      return `read ${path}`;
    case "account":
      return providerAccountId === null ? "accounts not known yet" : accountBudget(registrationId, providerAccountId);
  }
}

/** Hashes the account, so that a quota row does not identify a user. */
export function accountBudget(registrationId: string, providerAccountId: string): string {
  return `account ${Buffer.from(sha256(`${registrationId}/${providerAccountId}`)).toString("hex")}`;
}
