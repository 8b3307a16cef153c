import type { Application } from "../../_generated/prisma/client.ts";
import type { Transaction } from "../service.ts";

/**
 * Returns the current application, which does not change until the transaction ends. A change of the application ends the
 * attempts that it no longer allows, so a concurrent transaction must not add one. Inserting a row with this foreign key
 * takes the same lock; it waits for updates of the application and blocks no reader.
 */
export async function lockApplicationForShare(transaction: Transaction, id: string): Promise<Application> {
  await transaction.$queryRaw`SELECT 1 FROM application WHERE id = ${id}::uuid FOR KEY SHARE`;
  return transaction.application.findUniqueOrThrow({ where: { id } });
}
