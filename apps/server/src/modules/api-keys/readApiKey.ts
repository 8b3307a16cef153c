import type { AdminApiKey } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import { NotFoundError } from "../admin/errors.ts";
import type { Service } from "../service.ts";

/** One admin key, anybody's, alive or dead. NOT_FOUND when there is none. Never its secret. */
export async function readApiKey({ prisma }: Pick<Service, "prisma">, id: string): Promise<AdminApiKey> {
  const keyId = asUuid(id);
  const key = keyId && (await prisma.adminApiKey.findUnique({ where: { id: keyId } }));
  if (!key) throw new NotFoundError("The key");
  return key;
}
