import { quotaWindow } from "@social-connect/domain";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/hash.ts";
import type { ProviderQuota, RegistrationAccess } from "../../providers/contract.ts";
import { readQuota } from "../../providers/registration.ts";
import type { Service } from "../service.ts";
import { QuotaUsedUpError } from "./quotaUsedUpError.ts";
import type { Budget } from "./store.ts";
import { raiseUsed, takeUnit } from "./store.ts";

/** What a call at a provider is made for. */
export interface QuotaUse {
  /** The service's own re-read; it leaves a part of the budget to what callers ask for. */
  readonly background: boolean;
  /** The account that is read; null while it is not known yet. */
  readonly providerAccountId: string | null;
}

/**
 * The same registration, whose calls of the read API are each charged to the budget that all processes share, before they
 * are made. A call beyond it throws QuotaUsedUpError and does not go out.
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
    // It speaks of a moment, not of the rest of our window, so it holds back only what nobody waits for: a call that
    // somebody does wait for goes out, and a refusal says itself for how long. A small share would change no decision.
    if (share !== null && share >= (1 - quota.reserve) / 2) {
      await raiseUsed(service.pool, budget, Math.floor(Math.min(share, 1 - quota.reserve) * quota.units));
    }
    return response;
  };
  return { ...access, fetch };
}

/** The name of a budget among those of its registration. */
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

/** An account is hashed: a count must not name a person. */
export function accountBudget(registrationId: string, providerAccountId: string): string {
  return `account ${Buffer.from(sha256(`${registrationId}/${providerAccountId}`)).toString("hex")}`;
}
