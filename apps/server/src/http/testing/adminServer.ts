import type { RequestListener } from "node:http";
import { type LocalServer, serve } from "@social-connect/testkit";
import { beforeAll } from "vitest";
import type { AdminMember } from "../../_generated/prisma/client.ts";
import type { CallLanes } from "../../graphql/shared/callLanes.ts";
import { openSession } from "../../modules/admin-sessions/openSession.ts";
import { csrfToken } from "../../modules/admin-sessions/session.ts";
import type { Service } from "../../modules/service.ts";
import { service as serviceOfFile, useService } from "../../modules/testing/fixtures.ts";
import type { TestService } from "../../modules/testing/testService.ts";
import type { Lane } from "../../platform/load/fairShare.ts";
import { createHttpHandler } from "../server.ts";
import { bearer, type GraphQLAnswer, NO_PANEL, post, testLanes } from "./testServer.ts";

export interface AdminServer<Served extends Service = TestService> extends LocalServer {
  readonly service: Served;
  readonly lanes: CallLanes;
}

/** The server's handler on a free loopback port, which is also its admin host. */
export async function startAdminServer<Served extends Service = TestService>(
  service: Served,
  overrides: Partial<Pick<Service, "adminHost" | "trustedProxies" | "issuer">> = {},
  panelFolder = NO_PANEL,
  lane?: Lane,
): Promise<AdminServer<Served>> {
  let handler: RequestListener = () => undefined;
  const local = await serve((request, response) => handler(request, response));
  const served: Served = { ...service, adminHost: local.url, connectHost: local.url, ...overrides };
  const lanes = testLanes(served, lane);
  handler = createHttpHandler({ service: served, lanes, isReady: async () => true, panelFolder });
  return { ...local, service: served, lanes };
}

export let server: AdminServer;

export function useAdminServer(): void {
  useService();
  beforeAll(async () => {
    server = await startAdminServer(serviceOfFile);
    return server.close;
  });
}

export function adminQuery(
  { url }: Pick<AdminServer, "url">,
  key: string | null,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<GraphQLAnswer> {
  return post(`${url}/api/admin/graphql`, { query, variables }, bearer(key));
}

export type PanelUser = Awaited<ReturnType<typeof signInToPanel>>;

export async function signInToPanel({ url, service }: AdminServer, member: AdminMember) {
  const now = service.clock.current;
  const token = (await openSession(service, member, now, now)).token.reveal();
  const cookie = `social-connect-panel=${token}`;
  const csrf = csrfToken(token).reveal();
  return {
    cookie,
    csrf,
    query: (query: string, variables: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
      post(`${url}/panel/graphql`, { query, variables }, { cookie, origin: url, "x-csrf-token": csrf, ...headers }),
  };
}
