import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Service } from "../service.ts";

export interface CountingApi {
  /** Paths of the received calls, in order. */
  readonly paths: string[];
  /** Headers of every response. */
  headers: Record<string, string>;
  status: number;
  close(): void;
}

/** Starts a read API that counts calls and returns an empty object. */
export async function startCountingApi(service: Service, registrationId: string): Promise<CountingApi> {
  const api: CountingApi = { paths: [], headers: {}, status: 200, close: () => server.close() };
  const server = createServer((request, response) => {
    api.paths.push(request.url ?? "");
    response.writeHead(api.status, { "content-type": "application/json", ...api.headers }).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await service.prisma.providerRegistration.update({
    where: { id: registrationId },
    data: {
      addresses: { authorization: `${base}/authorize`, token: `${base}/token`, api: `${base}/api` },
    },
  });
  return api;
}

/** Overrides the adapter's quota for a registration. */
export async function setQuota(service: Service, registrationId: string, quota: QuotaColumn): Promise<void> {
  await service.prisma.providerRegistration.update({ where: { id: registrationId }, data: { quota } });
  await service.prisma.providerQuota.deleteMany({ where: { registrationId } });
}

type QuotaColumn = {
  readonly units?: number;
  readonly window?: "minute" | "day" | "pacific-day";
  readonly per?: "client" | "read" | "account";
  readonly reserve?: number;
};
