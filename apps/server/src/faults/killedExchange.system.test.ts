import type { IncomingMessage, ServerResponse } from "node:http";
import { type LocalServer, serve } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cookiesOf, postForm, stateOf, visit } from "../http/testing/visits.ts";
import { readConnectResult } from "../modules/connect/readConnectResult.ts";
import type { Service } from "../modules/service.ts";
import { addressesAt, moveRegistration, RETURN_URL } from "../modules/testing/builders.ts";
import { orphanedGrants } from "../modules/testing/rows.ts";
import { revokeOrphanedGrant } from "../modules/testing/tasks.ts";
import { providerAdapter } from "../providers/registry/registry.ts";
import { real, useRealService } from "../worker/testing/realTimeService.ts";
import { type ApiProcess, startApi } from "./testing/apiProcess.ts";

useRealService();

let service: Service;
/** The first process is killed, the next continues. */
let apis: ApiProcess[];
const processes = new AsyncDisposableStack();

/** Provider B as a connection uses it; the held path does not respond and reports each request. */
const upstream = { held: "", asked: [] as string[], reached: (): void => undefined };
let provider: LocalServer;

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url?.split("?", 1)[0] ?? "";
  request.resume();
  upstream.asked.push(path);
  if (path === upstream.held) return void upstream.reached();
  const tokens = { access_token: "access", refresh_token: "refresh", token_type: "Bearer", expires_in: 86_400 };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(path === "/token" ? { ...tokens, open_id: "b", scope: "profile" } : {}));
}

beforeAll(async () => {
  service = { ...real.service, provider: providerAdapter };
  provider = await serve(answer);
  apis = await Promise.all([1, 2, 3].map(() => startApi(processes, real)));
  await moveRegistration(service, real.registrations.PROVIDER_B, { addresses: addressesAt(provider.url) });
});
afterAll(async () => {
  await processes.disposeAsync();
  await provider?.close();
});

test.each([
  { step: "while the code is exchanged", held: "/token", kept: 0 },
  { step: "between the exchange and the commit", held: "/api/user/info/", kept: 1 },
])("an API process that is killed $step leaves no partial connection and no unknown grant", async (fault) => {
  const { prisma } = service;
  const { id, killed, again } = await killDuringCallback(fault.held, fault.step);
  const read = () => readConnectResult(service, real.application.caller, scopeOf(fault.step), id);
  await expect(killed).rejects.toThrow();
  expect(await read()).toMatchObject({ status: "EXCHANGING", connectionId: null });
  expect(await prisma.connection.count()).toBe(0);
  const grants = await prisma.grant.findMany();
  expect(grants.map(({ status, connectionId, attemptId }) => ({ status, connectionId, attemptId }))).toEqual(
    Array.from({ length: fault.kept }, () => ({ status: "PENDING", connectionId: null, attemptId: id })),
  );

  // The user reloads the page: the code was sent once and is not sent again.
  expect(await again()).toBe(410);
  expect(upstream.asked.filter((path) => path === "/token")).toHaveLength(1);

  const now = await service.clock.now();
  expect(await orphanedGrants(service, now)).toEqual([]);
  await prisma.connectAttempt.updateMany({ where: { id }, data: { expiresAt: now } });
  expect(await read()).toMatchObject({ status: "EXPIRED", connectionId: null });
  for (const grantId of await orphanedGrants(service, now)) await revokeOrphanedGrant(service, grantId);
  expect(upstream.asked.filter((path) => path === "/revoke")).toHaveLength(fault.kept);
  expect(await prisma.grant.count()).toBe(0);
});

/** Takes a user through the launch, kills the process that handles the callback and starts a second process. */
async function killDuringCallback(held: string, subject: string) {
  const reached = new Promise<void>((resolve) => Object.assign(upstream, { held, asked: [], reached: resolve }));
  const [first, second] = [apis.shift(), apis[0]];
  if (first === undefined || second === undefined) throw new Error("there are three processes for two kills");
  const input = { scope: scopeOf(subject), provider: "PROVIDER_B", capabilities: ["PROFILE"], returnUrl: RETURN_URL };
  const { data } = await first.call(
    "mutation ($input: ConnectInput!) { createConnectSession(input: $input) { id launchToken } }",
    { input },
  );
  const { id, launchToken } = (data as { createConnectSession: { id: string; launchToken: string } })
    .createConnectSession;
  const launched = await postForm(`${first.url}/api/connect/redeem`, { launchToken });
  const path = `/api/connect/callback/provider-b?code=code&state=${stateOf(launched)}`;
  const callback = (api: ApiProcess) => visit(api.url + path, cookiesOf(launched));
  const killed = callback(first);
  killed.catch(() => undefined);
  await reached;
  first.program.child.kill("SIGKILL");
  await first.program.untilEnded();
  return { id, killed, again: async () => (await callback(second)).status };
}

function scopeOf(externalSubjectId: string) {
  return { ...real.application.scope, externalSubjectId };
}
