import type { SubjectScope } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import type { Service, Transaction } from "../service.ts";

/** The connection, when it belongs to the application and scope. */
export function findConnectionOfScope(
  client: Service["prisma"] | Transaction,
  applicationId: string,
  { tenantKey, externalSubjectId }: SubjectScope,
  id: string,
): Promise<Connection | null> {
  return client.connection.findFirst({ where: { id, applicationId, tenantKey, externalSubjectId } });
}
