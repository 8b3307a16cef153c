import type { Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { SocialProvider } from "@social-connect/contract";
import { createEgress } from "../../platform/egress.ts";
import type { RegistrationAccess } from "../contract.ts";
import { providerAdapter } from "../registry/registry.ts";
import type { RecordedRequest, ReplayAnswer } from "./replay.ts";
import { registration } from "./replay.ts";

/** A provider's OAuth host on loopback that returns recorded responses, reached through the real egress. */
export interface RecordedServer {
  /** Queues responses; each is returned once, in order. */
  answer(...answers: ReplayAnswer[]): void;
  /** The requests since the last call, with form bodies as parameters. */
  takeRequests(): (Omit<RecordedRequest, "redirect"> & { readonly form: URLSearchParams })[];
  registration(provider: SocialProvider): RegistrationAccess;
  close(): void;
}

export async function startRecordedServer(): Promise<RecordedServer> {
  const waiting: ReplayAnswer[] = [];
  let requests: (Omit<RecordedRequest, "redirect"> & { form: URLSearchParams })[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const url = new URL(request.url ?? "/", "http://recorded.test");
      const headers = new Headers(
        Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
      );
      requests.push({ method: request.method ?? "", url, headers, body, form: new URLSearchParams(body) });
      const answer = waiting.shift() ?? { status: 599, body: "no response left" };
      if (answer.fails !== undefined) return void response.destroy();
      response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
      response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fetch = createEgress({ allowedOrigins: [origin], timeoutMs: 5_000 });
  const local = (address: string) => address.replace(/^https:\/\/[^/]+/, origin);
  return {
    answer: (...answers) => void waiting.push(...answers),
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    registration(provider) {
      const { addresses, scopes } = providerAdapter(provider).publicApi;
      const { authorization, token, revocation, api } = addresses;
      const moved = {
        authorization,
        token: local(token),
        ...(revocation !== undefined && { revocation: local(revocation) }),
        api: local(api),
      };
      return registration({ addresses: moved, scopes }, fetch);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
