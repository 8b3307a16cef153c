import type { Application, Prisma } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import { NotFoundError } from "../admin/errors.ts";
import type { Service } from "../service.ts";

/** One client by its id. NOT_FOUND when there is none. */
export async function readClient(
  { prisma }: Service,
  id: string,
  query: Omit<Prisma.ApplicationFindUniqueArgs, "where"> = {},
): Promise<Application> {
  const clientId = asUuid(id);
  const client = clientId && (await prisma.application.findUnique({ ...query, where: { id: clientId } }));
  if (!client) throw new NotFoundError("The client");
  return client;
}
