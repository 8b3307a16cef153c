import type { Transaction } from "../service.ts";
import { accountBudget } from "./meteredAccess.ts";

/** Deletes the budget of an erased account. */
export async function deleteAccountBudget(
  transaction: Transaction,
  { registrationId, providerAccountId }: { readonly registrationId: string; readonly providerAccountId: string },
): Promise<void> {
  const budget = accountBudget(registrationId, providerAccountId);
  await transaction.providerQuota.deleteMany({ where: { registrationId, budget } });
}
