import type { ApplicationKey } from "../../_generated/prisma/client.ts";
import type { Service } from "../service.ts";
import { readClient } from "./readClient.ts";

/** Most that are shown: two can be active, the rest is history. */
const MOST_SHOWN = 50;

/** The client's keys, newest first, the dead ones too. Never a secret. */
export async function listClientCredentials(service: Service, clientId: string): Promise<ApplicationKey[]> {
  const { id } = await readClient(service, clientId);
  return service.prisma.applicationKey.findMany({
    where: { applicationId: id },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MOST_SHOWN,
  });
}
