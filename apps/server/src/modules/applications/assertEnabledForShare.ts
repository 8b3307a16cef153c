import { AppError } from "../../platform/appError.ts";
import type { Transaction } from "../service.ts";

/**
 * FORBIDDEN when the application was disabled since its call was let in; else it stays enabled until the transaction ends.
 * Disabling ends every attempt that is there, so none may be added that it did not see. The lock is the one that inserting a
 * row of the application's takes anyway; it waits for a change of the application and holds up no other reader.
 */
export async function assertEnabledForShare(transaction: Transaction, applicationId: string): Promise<void> {
  const [row] = await transaction.$queryRaw<{ enabled: boolean }[]>`
    SELECT enabled FROM application WHERE id = ${applicationId}::uuid FOR KEY SHARE`;
  if (row?.enabled !== true) throw new AppError({ code: "FORBIDDEN", message: "The application is disabled." });
}
