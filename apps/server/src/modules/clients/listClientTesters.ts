import type { Tester } from "../../_generated/prisma/client.ts";
import type { Service } from "../service.ts";
import { readClient } from "./readClient.ts";

export async function listClientTesters(service: Service, clientId: string): Promise<Tester[]> {
  const { id } = await readClient(service, clientId);
  return service.prisma.tester.findMany({
    where: { applicationId: id },
    orderBy: [{ provider: "asc" }, { providerAccountId: "asc" }],
  });
}
