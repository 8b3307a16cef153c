import { AUDITED } from "@social-connect/domain";
import type { Tester } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { NotFoundError } from "../admin/errors.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { lockClient } from "./changeClient.ts";
import type { TesterAccount } from "./testerAccount.ts";
import { checkTesterAccount } from "./testerAccount.ts";

/** What the account has connected stays; it cannot connect anew. */
export async function removeClientTester(
  service: Service,
  actor: AdminActor,
  clientId: string,
  account: TesterAccount,
): Promise<Tester> {
  checkTesterAccount(account);
  const now = await service.clock.now();
  return adminTransaction(service, async (transaction) => {
    const client = await lockClient(transaction, clientId);
    const tester = { applicationId: client.id, ...account };
    const { count } = await transaction.tester.deleteMany({ where: tester });
    if (count === 0) throw new NotFoundError("The tester");
    await recordAudit(transaction, {
      actor,
      at: now,
      ...AUDITED.testerRemoved(account.provider),
      target: { type: "CLIENT", id: client.id },
      clientSlug: client.slug,
    });
    return tester;
  });
}
