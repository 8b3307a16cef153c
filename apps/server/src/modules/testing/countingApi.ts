import { serve } from "@social-connect/testkit";
import type { Service } from "../service.ts";
import { addressesAt, moveRegistration } from "./builders.ts";

export type CountingApi = Awaited<ReturnType<typeof startCountingApi>>;

/** Starts a read API that counts calls and returns an empty object. */
export async function startCountingApi(service: Service, registrationId: string) {
  /** The paths of the received calls, in order; and the headers and the status of every response. */
  const api = { paths: [] as string[], headers: {} as Record<string, string>, status: 200 };
  const server = await serve((request, response) => {
    api.paths.push(request.url ?? "");
    response.writeHead(api.status, { "content-type": "application/json", ...api.headers }).end("{}");
  });
  await moveRegistration(service, registrationId, { addresses: addressesAt(server.url) });
  return Object.assign(api, server);
}

/** Overrides the adapter's quota for a registration. */
export async function setQuota(service: Service, registrationId: string, quota: QuotaColumn): Promise<void> {
  await service.prisma.providerRegistration.update({ where: { id: registrationId }, data: { quota } });
  await service.prisma.providerQuota.deleteMany({ where: { registrationId } });
}

export type QuotaColumn = {
  readonly units?: number;
  readonly window?: "minute" | "day" | "pacific-day";
  readonly per?: "client" | "read" | "account";
  readonly reserve?: number;
};
