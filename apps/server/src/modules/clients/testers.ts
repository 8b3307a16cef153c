import type { SocialProvider } from "@social-connect/contract";
import type { AuditAction } from "@social-connect/domain";
import { AUDITED, checkText } from "@social-connect/domain";
import type { Tester } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { ConflictError, enforceInput, NotFoundError } from "../admin/errors.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service, Transaction } from "../service.ts";
import { lockClient } from "./changeClient.ts";
import { readClient } from "./readClients.ts";

/** An account that may connect in sandbox mode, by the provider's own id. */
interface TesterAccount {
  readonly provider: SocialProvider;
  readonly providerAccountId: string;
}

const ACCOUNT_ID = { maxLength: 256 };

/** Lets an account connect in sandbox mode. */
export function addClientTester(
  service: Service,
  actor: AdminActor,
  clientId: string,
  account: TesterAccount,
): Promise<Tester> {
  return changeTester(service, actor, clientId, account, async (transaction, tester) => {
    const { count } = await transaction.tester.createMany({ data: [tester], skipDuplicates: true });
    if (count === 0) throw new ConflictError("ALREADY_PRESENT", "This account is a tester already.");
    return AUDITED.testerAdded(account.provider);
  });
}

/** Prevents new connections of the account; existing ones stay. */
export function removeClientTester(
  service: Service,
  actor: AdminActor,
  clientId: string,
  account: TesterAccount,
): Promise<Tester> {
  return changeTester(service, actor, clientId, account, async (transaction, tester) => {
    const { count } = await transaction.tester.deleteMany({ where: tester });
    if (count === 0) throw new NotFoundError("The tester");
    return AUDITED.testerRemoved(account.provider);
  });
}

async function changeTester(
  service: Service,
  actor: AdminActor,
  clientId: string,
  account: TesterAccount,
  change: (
    transaction: Transaction,
    tester: Tester,
  ) => Promise<{ readonly action: AuditAction; readonly summary: string }>,
): Promise<Tester> {
  enforceInput("providerAccountId", checkText(account.providerAccountId, "providerAccountId", ACCOUNT_ID));
  const now = await service.clock.now();
  return adminTransaction(service, async (transaction) => {
    const client = await lockClient(transaction, clientId);
    const tester = { applicationId: client.id, ...account };
    const audited = await change(transaction, tester);
    const target = { type: "CLIENT", id: client.id } as const;
    await recordAudit(transaction, { actor, at: now, ...audited, target, clientSlug: client.slug });
    return tester;
  });
}

export async function listClientTesters(service: Service, clientId: string): Promise<Tester[]> {
  const { id } = await readClient(service, clientId);
  return service.prisma.tester.findMany({
    where: { applicationId: id },
    orderBy: [{ provider: "asc" }, { providerAccountId: "asc" }],
  });
}
