import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

const CORRELATION_ID = "99999999-8888-4777-8666-555555555555";

/** A value with the format of a key that was never issued. */
export const APPLICATION_KEY = `11111111-2222-4333-8444-555555555555.${"ab".repeat(32)}`;
export const ADMIN_KEY = `scadm_11111111-2222-4333-8444-555555555555.${"cd".repeat(32)}`;

const connection = {
  id: "connection-1",
  provider: "PROVIDER_A",
  providerAccountId: "channel-1",
  status: "CONNECTED",
  syncStatus: "READY",
  capabilities: [{ capability: "PROFILE", availability: "AVAILABLE", reason: null }],
  profile: null,
  lastSuccessfulSyncAt: "2026-03-01T11:00:00.000Z",
  nextRetryAt: null,
};

const client = {
  id: "client-1",
  slug: "demo-app",
  displayName: "Demo",
  enabled: true,
  webOrigins: ["https://app.example.com"],
  returnUrls: ["https://app.example.com/return"],
  identityReturnUrls: [],
  providers: ["PROVIDER_A"],
  capabilities: ["PROFILE"],
  tenantKeys: ["acme"],
  previewOriginsEnabled: false,
  previewReturnPaths: [],
  idpIdentityEnabled: false,
  logo: null,
  brandColor: null,
  supportAddress: null,
  privacyUrl: null,
  createdAt: "2026-03-01T11:00:00.000Z",
  updatedAt: "2026-03-01T11:00:00.000Z",
};

/** One response per consumer operation, in the contract's shape, without a service behind it. */
export const ANSWERS: Readonly<Record<string, unknown>> = {
  integrationReadiness: {
    providers: ["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"].map((provider) => ({ provider, available: true })),
    idpIdentityAvailable: false,
  },
  createConnectSession: {
    id: "session-1",
    launchUrl: "https://connect.example.com/api/connect/redeem",
    launchToken: "ef".repeat(32),
    expiresAt: "2026-03-01T12:10:00.000Z",
    resultExpiresAt: "2026-03-02T12:00:00.000Z",
  },
  connectSessionResult: {
    id: "session-1",
    provider: "PROVIDER_A",
    status: "COMPLETED",
    resultCode: null,
    connectionId: "connection-1",
    creatorAction: null,
    expiresAt: "2026-03-01T12:10:00.000Z",
    resultExpiresAt: "2026-03-02T12:00:00.000Z",
  },
  connections: { items: [connection], pageInfo: { endCursor: null, hasNextPage: false } },
  adminClients: { items: [client], pageInfo: { endCursor: null, hasNextPage: false } },
  adminClient: client,
};

export interface Loopback {
  readonly url: string;
  close(): Promise<void>;
}

/** A server on loopback that answers as the service's wire does, so that a consumer makes real requests. */
export async function startLoopback(): Promise<Loopback> {
  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(request: IncomingMessage): Promise<{ readonly status: number; readonly body: unknown }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const isAdmin = request.url === "/api/admin/graphql";
  const expected = `Bearer ${isAdmin ? ADMIN_KEY : APPLICATION_KEY}`;
  if (request.method !== "POST" || !(isAdmin || request.url === "/graphql")) return { status: 404, body: {} };
  if (request.headers.authorization !== expected) return refuse("UNAUTHENTICATED");
  const { query } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { readonly query: string };
  const operation = operationIn(query);
  const data = ANSWERS[operation];
  return data === undefined ? refuse("NOT_FOUND") : { status: 200, body: { data: { [operation]: data } } };
}

/** The first root field of a document. */
export function operationIn(query: string): string {
  return /\{\s*(\w+)/.exec(query.replace(/\([^)]*\)/g, ""))?.[1] ?? "";
}

function refuse(code: string): { readonly status: number; readonly body: unknown } {
  const error = { message: "Refused.", extensions: { code, correlationId: CORRELATION_ID } };
  return { status: 200, body: { errors: [error] } };
}
