import { SYSTEM } from "../admin/actor.ts";
import { ConflictError } from "../admin/errors.ts";
import type { Service } from "../service.ts";
import { addAdmin } from "./addAdmin.ts";

/** Puts the deployment's first admins on the list, while nobody is on it: later the list is the admins' own. */
export async function addFirstAdmins(
  service: Pick<Service, "prisma" | "clock">,
  emails: readonly string[],
): Promise<void> {
  if (emails.length === 0 || (await service.prisma.adminMember.count()) > 0) return;
  for (const email of emails) {
    await addAdmin(service, SYSTEM, email).catch((error: unknown) => {
      // Another process that starts at the same time was first.
      if (!(error instanceof ConflictError)) throw error;
    });
  }
}
