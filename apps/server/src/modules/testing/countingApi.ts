import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Service } from "../service.ts";

export interface CountingApi {
  /** Paths of the calls that arrived, in their order. */
  readonly paths: string[];
  /** Sent with every answer. */
  headers: Record<string, string>;
  close(): void;
}

/** The read API of a registration's provider as far as a budget sees it: calls arrive, and are answered with nothing. */
export async function startCountingApi(service: Service, registrationId: string): Promise<CountingApi> {
  const api: CountingApi = { paths: [], headers: {}, close: () => server.close() };
  const server = createServer((request, response) => {
    api.paths.push(request.url ?? "");
    response.writeHead(200, { "content-type": "application/json", ...api.headers }).end("{}");
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

/** What a registration may call, instead of what its adapter says. */
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
