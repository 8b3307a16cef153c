import type { Transaction } from "../service.ts";
import { accountBudget } from "./meteredAccess.ts";

export async function deleteAccountBudget(
  transaction: Transaction,
  { registrationId, providerAccountId }: { readonly registrationId: string; readonly providerAccountId: string },
): Promise<void> {
  const budget = accountBudget(registrationId, providerAccountId);
  await transaction.providerQuota.deleteMany({ where: { registrationId, budget } });
}
