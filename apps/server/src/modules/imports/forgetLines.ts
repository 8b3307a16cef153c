import type { ImportLine } from "../../_generated/prisma/client.ts";
import type { Service, Transaction } from "../service.ts";

type LinesOf = Pick<ImportLine, "applicationId"> &
  Partial<Pick<ImportLine, "tenantKey" | "externalSubjectId" | "connectionId">>;

/**
 * Erases who the lines of imports are about, and their tokens. The hash remains, so that a resumed import does not bring back an
 * account that was erased since. Returns the number of lines.
 */
export async function forgetImportLines(client: Service["prisma"] | Transaction, lines: LinesOf): Promise<number> {
  const { applicationId } = lines;
  const found = await client.importLine.findMany({
    where: { ...lines, NOT: { externalSubjectId: "" } },
    select: { id: true },
  });
  if (found.length === 0) return 0;
  const ids = found.map(({ id }) => id);
  await client.grant.deleteMany({ where: { applicationId, importLineId: { in: ids } } });
  const nobody = { tenantKey: "", externalSubjectId: "", connectionId: null };
  const { count } = await client.importLine.updateMany({
    where: { applicationId, id: { in: ids } },
    data: { ...nobody, status: "REFUSED", code: "ERASED" },
  });
  return count;
}
