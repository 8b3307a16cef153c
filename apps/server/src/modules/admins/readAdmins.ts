import type { AdminMember, Prisma } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { Service, Transaction } from "../service.ts";

/** All admins, oldest first. */
export function listAdmins<Query extends Prisma.AdminMemberFindManyArgs>(
  { prisma }: Service,
  query: Query,
): Promise<AdminMember[]> {
  return prisma.adminMember.findMany({ ...query, orderBy: [{ addedAt: "asc" }, { id: "asc" }] });
}

/** The admin's row, locked until the transaction ends; null for an unknown id. */
export async function lockAdmin(transaction: Transaction, id: string): Promise<AdminMember | null> {
  const memberId = asUuid(id);
  if (memberId === null) return null;
  await transaction.$queryRaw`SELECT 1 FROM admin_member WHERE id = ${memberId}::uuid FOR UPDATE`;
  return transaction.adminMember.findUnique({ where: { id: memberId } });
}
