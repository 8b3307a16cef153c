import { type LocalServer, serve } from "@social-connect/testkit";
import type { Service } from "../service.ts";
import { addressesAt, moveRegistration } from "./builders.ts";

export interface CountingApi extends LocalServer {
  /** Paths of the received calls, in order. */
  readonly paths: string[];
  /** Headers of every response. */
  headers: Record<string, string>;
  status: number;
}

/** Starts a read API that counts calls and returns an empty object. */
export async function startCountingApi(service: Service, registrationId: string): Promise<CountingApi> {
  const api = { paths: [] as string[], headers: {}, status: 200 };
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
