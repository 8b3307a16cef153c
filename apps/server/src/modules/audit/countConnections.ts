import type { Prisma } from "../../_generated/prisma/client.ts";
import type { Service, Transaction } from "../service.ts";

export const NOT_DISCONNECTED = {
  status: { notIn: ["DISCONNECTED", "DELETING"] },
} satisfies Prisma.ConnectionWhereInput;

/** Connections that are not disconnected, and their stored posts, as confirmations and results count them. */
export async function countConnections(client: Service["prisma"] | Transaction, where: Prisma.ConnectionWhereInput) {
  const connection = { ...where, ...NOT_DISCONNECTED };
  return {
    connections: await client.connection.count({ where: connection }),
    posts: await client.contentItem.count({ where: { connection } }),
  };
}
