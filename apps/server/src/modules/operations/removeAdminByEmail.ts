import { accepted, asEmailAddress, notFound } from "@social-connect/domain";
import type { AdminMember } from "../../_generated/prisma/client.ts";
import { SYSTEM } from "../admin/actor.ts";
import { removeAdmin } from "../admins/admins.ts";
import type { Service } from "../service.ts";

/** Removes an admin as the panel does, without one who is signed in. */
export async function removeAdminByEmail(service: Service, address: string): Promise<AdminMember> {
  const email = asEmailAddress(address);
  const found = email && (await service.prisma.adminMember.findUnique({ where: { email } }));
  return found ? removeAdmin(service, SYSTEM, found.id) : accepted(notFound("The admin"));
}
