import {
  accepted,
  decideAddTester,
  decideRemoveTester,
  decideSetTesterNote,
  type NewTester,
  type Touched,
} from "@social-connect/domain";
import type { Prisma, Tester } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { lockClient, readClient } from "../applications/client.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service, Transaction } from "../service.ts";

export const addClientTester = testerChange(decideAddTester, (transaction, tester) =>
  transaction.tester.create({ data: tester }),
);

export const removeClientTester = testerChange(
  decideRemoveTester,
  (transaction, tester) => transaction.tester.delete({ where: keyOf(tester) }),
  measureTester,
);

export const setClientTesterNote = testerChange(decideSetTesterNote, (transaction, tester) =>
  transaction.tester.update({ where: keyOf(tester), data: { note: tester.note } }),
);

type TesterKey = Pick<Tester, "applicationId" | "provider" | "providerAccountId">;

function keyOf({ applicationId, provider, providerAccountId }: TesterKey) {
  return { applicationId_provider_providerAccountId: { applicationId, provider, providerAccountId } };
}

/** What removing a tester touches. The account's connections stay. */
export async function measureTester(
  client: Service["prisma"] | Transaction,
  { applicationId, provider, providerAccountId }: TesterKey,
): Promise<Touched> {
  const account = { applicationId, provider, providerAccountId };
  return { testers: await client.tester.count({ where: account }) };
}

function testerChange(
  decide: typeof decideAddTester,
  apply: (transaction: Transaction, tester: Tester) => Promise<Tester>,
  measure?: typeof measureTester,
) {
  return async (service: Service, actor: AdminActor, clientId: string, wanted: NewTester): Promise<Tester> => {
    return adminTransaction(service, async (transaction, now) => {
      const client = await lockClient(transaction, clientId);
      const where = client && { applicationId: client.id, provider: wanted.provider };
      const testers = where === null ? [] : await transaction.tester.findMany({ where });
      const touched = client && (await measure?.(transaction, { ...wanted, applicationId: client.id }));
      const { audit, patch } = accepted(decide({ client, testers, ...(touched && { touched }) }, wanted));
      await recordAudit(transaction, actor, now, audit);
      return apply(transaction, { applicationId: audit.target.id, ...patch });
    });
  };
}

export async function listClientTesters<Query extends Prisma.TesterFindManyArgs>(
  service: Service,
  clientId: string,
  query?: Query,
): Promise<Tester[]> {
  const { id } = await readClient(service, clientId);
  return service.prisma.tester.findMany({
    ...query,
    where: { applicationId: id },
    orderBy: [{ provider: "asc" }, { providerAccountId: "asc" }],
  });
}
