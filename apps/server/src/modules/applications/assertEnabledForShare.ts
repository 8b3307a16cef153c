import { AppError } from "../../platform/appError.ts";
import type { Transaction } from "../service.ts";

/**
 * Throws FORBIDDEN if the application was disabled after authentication; otherwise keeps it enabled until the
 * transaction ends. Disabling ends every existing attempt, so a concurrent transaction must not add one. Inserting a
 * row with this foreign key takes the same lock; it waits for updates of the application and blocks no reader.
 */
export async function assertEnabledForShare(transaction: Transaction, applicationId: string): Promise<void> {
  const [row] = await transaction.$queryRaw<{ enabled: boolean }[]>`
    SELECT enabled FROM application WHERE id = ${applicationId}::uuid FOR KEY SHARE`;
  if (row?.enabled !== true) throw new AppError({ code: "FORBIDDEN", message: "The application is disabled." });
}
