import type { RequestListener, Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AdminMember } from "../../_generated/prisma/client.ts";
import { openSession } from "../../modules/admin-sessions/openSession.ts";
import { csrfToken } from "../../modules/admin-sessions/session.ts";
import type { TestService } from "../../modules/testing/testService.ts";
import { createHttpHandler } from "../server.ts";
import type { GraphQLAnswer, TestServer } from "./testServer.ts";
import { NO_PANEL } from "./testServer.ts";

export interface AdminServer extends TestServer {
  readonly service: TestService;
}

/** The server's handler on a free loopback port, which is also its admin host. */
export async function startAdminServer(
  service: TestService,
  overrides: Partial<Pick<TestService, "adminHost" | "trustedProxies" | "issuer">> = {},
  panelFolder = NO_PANEL,
): Promise<AdminServer> {
  let handler: RequestListener = () => undefined;
  const server: Server = createServer((request, response) => handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const served: TestService = { ...service, adminHost: url, connectHost: url, ...overrides };
  handler = createHttpHandler({ service: served, isReady: async () => true, panelFolder });
  return {
    url,
    service: served,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A call of the admin API; null: without a key. */
export function adminQuery(
  { url }: Pick<AdminServer, "url">,
  key: string | null,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<GraphQLAnswer> {
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  return post(`${url}/api/admin/graphql`, { query, variables }, headers);
}

/** A signed-in admin in a browser. */
export interface PanelUser {
  readonly cookie: string;
  readonly csrf: string;
  query(query: string, variables?: Record<string, unknown>, headers?: Record<string, string>): Promise<GraphQLAnswer>;
}

export async function signInToPanel({ url, service }: AdminServer, member: AdminMember): Promise<PanelUser> {
  const now = service.clock.current;
  const token = (await openSession(service, member, now, now)).token.reveal();
  const cookie = `social-connect-panel=${token}`;
  const csrf = csrfToken(token).reveal();
  return {
    cookie,
    csrf,
    query: (query, variables = {}, headers = {}) =>
      post(`${url}/panel/graphql`, { query, variables }, { cookie, origin: url, "x-csrf-token": csrf, ...headers }),
  };
}

export async function post(
  address: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<GraphQLAnswer & { readonly text: string }> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const { data = null, errors = [] } = (text === "" ? {} : JSON.parse(text)) as Partial<GraphQLAnswer>;
  return { status: response.status, data, errors, code: errors[0]?.extensions["code"], text };
}
