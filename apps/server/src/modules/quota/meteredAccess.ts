import {
  backgroundUnits,
  mayTakeUnit,
  type QuotaWindow,
  quotaWindow,
  type SharedBudget,
  unitFreeAt,
} from "@social-connect/domain";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import { ProviderError, type ProviderQuota, type RegistrationAccess } from "../../providers/contract.ts";
import { readQuota } from "../../providers/registration.ts";
import type { Service, Urgency } from "../service.ts";
import { type Budget, raiseUsed, takeUnit, takeUnitOfShare } from "./store.ts";

/** The purpose of a provider call. */
export interface QuotaUse {
  /** A background read leaves a reserve of the budget for requested reads and the first reads of new accounts. */
  readonly urgency: Urgency;
  /** The application whose share pays; null if its connect attempt was deleted. */
  readonly applicationId: string | null;
  /** The account; null before the account is known. */
  readonly providerAccountId: string | null;
}

/**
 * Wraps the registration's `fetch` so that each call of the read API first takes a unit from the budget that all
 * processes share. Throws QuotaUsedUpError without a call if the budget is used up, or the application's share of it.
 */
export function meteredAccess(
  service: Service,
  registration: ProviderRegistration,
  access: RegistrationAccess,
  use: QuotaUse,
): RegistrationAccess {
  const adapter = service.provider(registration.provider);
  const quota = readQuota(adapter.traits.quota, registration.quota);
  const limit = use.urgency === "background" ? backgroundUnits(quota) : quota.units;
  // The budget of an account is not divided into shares.
  const sharedBy = quota.per === "account" ? null : use.applicationId;
  const fetch: typeof access.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (!address.startsWith(`${access.addresses.api}/`)) return access.fetch(input, init);
    const now = await service.clock.now();
    const budget: Budget = {
      registrationId: registration.id,
      name: budgetOf(quota.per, registration.id, new URL(address).pathname, use.providerAccountId),
      window: quotaWindow(quota.window, now),
    };
    await charge(service, budget, { limit, sharedBy }, now);
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

async function charge(
  { pool }: Service,
  budget: Budget,
  { limit, sharedBy }: { readonly limit: number; readonly sharedBy: string | null },
  now: Date,
): Promise<void> {
  const { window } = budget;
  if (sharedBy === null) {
    if (await takeUnit(pool, budget, limit, null)) return;
    throw new QuotaUsedUpError(window, now);
  }
  const shared = await takeUnitOfShare(pool, budget, limit, sharedBy);
  if (shared === "taken") return;
  if (shared.total < limit && !mayTakeUnit(shared, window, now)) throw new QuotaUsedUpError(window, now, shared);
  if (shared.total >= limit || !(await takeUnit(pool, budget, limit, sharedBy)))
    throw new QuotaUsedUpError(window, now);
}

/** How the names of budgets begin that one read has. */
export const READ_BUDGET = "read ";

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
      // Some providers name a post in the path of a read.
      return `${READ_BUDGET}${path.replaceAll(/\/\d+(?=\/|$)/g, "/*")}`;
    case "account":
      return providerAccountId === null ? "accounts not known yet" : accountBudget(registrationId, providerAccountId);
  }
}

/** Hashes the account, so that a quota row does not identify a user. */
export function accountBudget(registrationId: string, providerAccountId: string): string {
  return `account ${Buffer.from(sha256(`${registrationId}/${providerAccountId}`)).toString("hex")}`;
}

/** The local call budget is used up until the end of the window, or the application's share of it; no call was made. */
export class QuotaUsedUpError extends ProviderError {
  readonly quotaWindow: QuotaWindow;
  /** Set if the share is used up: when the application may take a unit again. */
  readonly shareFreeAt?: Date;

  /** `shared` is what was used of a budget that applications share, which still has units. */
  constructor(window: QuotaWindow, now: Date, shared: SharedBudget | null = null) {
    const freeAt = shared === null ? window.endsAt : unitFreeAt(shared, window, now);
    const usedUp = shared === null ? "the provider call budget" : "the application's share of the provider call budget";
    super("rate_limited", `${usedUp} is used up`, {
      retryAfterSeconds: Math.max(1, Math.ceil((freeAt.getTime() - now.getTime()) / 1_000)),
    });
    this.name = "QuotaUsedUpError";
    this.quotaWindow = window;
    if (shared !== null) this.shareFreeAt = freeAt;
  }
}
