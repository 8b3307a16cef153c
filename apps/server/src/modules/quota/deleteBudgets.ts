import type { Service, Transaction } from "../service.ts";
import { accountBudget } from "./meteredAccess.ts";

/** Deletes budgets whose window has ended. */
export async function deleteEndedBudgets(service: Service, now: Date): Promise<number> {
  return (await service.prisma.providerQuota.deleteMany({ where: { windowEndsAt: { lte: now } } })).count;
}

/** Deletes the budget of an erased account. */
export async function deleteAccountBudget(
  transaction: Transaction,
  { registrationId, providerAccountId }: { readonly registrationId: string; readonly providerAccountId: string },
): Promise<void> {
  const budget = accountBudget(registrationId, providerAccountId);
  await transaction.providerQuota.deleteMany({ where: { registrationId, budget } });
}
