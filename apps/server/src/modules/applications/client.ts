import { accepted, notFound } from "@social-connect/domain";
import type { Application, Prisma } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { Service, Transaction } from "../service.ts";
import { lockApplicationForChange } from "./lockApplication.ts";

/** The row of the client that an admin names by its id. */
export async function readClient(
  { prisma }: Pick<Service, "prisma">,
  id: string,
  query: Omit<Prisma.ApplicationFindUniqueArgs, "where"> = {},
): Promise<Application> {
  const clientId = asUuid(id);
  const client = clientId && (await prisma.application.findUnique({ ...query, where: { id: clientId } }));
  return accepted(client || notFound("The client"));
}

/** The client's row, locked until the transaction ends; null for an unknown id. */
export async function lockClient(transaction: Transaction, id: string): Promise<Application | null> {
  const clientId = asUuid(id);
  return clientId === null ? null : lockApplicationForChange(transaction, clientId);
}
