import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { providerSlug } from "@social-connect/domain";
import { type LocalServer, serve } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  addressesAt,
  createApplication,
  createRegistrations,
  moveRegistration,
  type TestApplication,
} from "../modules/testing/builders.ts";
import { startConnect } from "../modules/testing/calls.ts";
import { revokeOrphanedGrant } from "../modules/testing/tasks.ts";
import { startTestService, type TestService } from "../modules/testing/testService.ts";
import { recordingLogger } from "../platform/testing/recordingLogger.ts";
import { providerAdapter } from "../providers/registry/registry.ts";
import { query, startTestServer } from "./testing/testServer.ts";
import { cookiesOf, locationOf, postForm, stateOf, visit } from "./testing/visits.ts";

/**
 * The real adapters at a provider that echoes everything it receives in every part of its errors. Secrets sent to it
 * must not appear anywhere.
 */
const CLIENT_SECRET = "canary-client-secret";
const TOKENS = { access_token: "canary-access-token", refresh_token: "canary-refresh-token" };

let service: TestService;
let server: LocalServer;
let provider: LocalServer;
let application: TestApplication;
const { logger, lines } = recordingLogger("debug");

type Echo = (heard: string, response: ServerResponse) => void;
const upstream = { echo: (() => undefined) as Echo, issuesTokens: false, heard: [] as string[] };

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const heard = `${request.url} ${JSON.stringify(request.headers)} ${await text(request)}`;
  upstream.heard.push(heard);
  if (!upstream.issuesTokens || !request.url?.startsWith("/token")) return upstream.echo(heard, response);
  const tokens = { ...TOKENS, token_type: "Bearer", expires_in: 3_600, open_id: "b", user_id: "c", scope: "profile" };
  response.setHeader("content-type", "application/json").end(JSON.stringify({ ...tokens, permissions: ["profile"] }));
}

function json(body: (heard: string) => object): Echo {
  return (heard, response) =>
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify(body(heard)));
}

const ECHOES: Readonly<Record<string, Echo>> = {
  "in the description": json((heard) => ({ error: "invalid_request", error_description: heard })),
  "as the code": json((heard) => ({ error: heard, error_type: heard, error_message: heard })),
  "in an error of an API": json((heard) => ({
    error: { code: 400, message: heard, status: heard, errors: [{ reason: heard, message: heard }], log_id: heard },
  })),
  "in a page": (heard, response) => response.writeHead(400, { "content-type": "text/html" }).end(`<h1>${heard}</h1>`),
  "in a header": (heard, response) =>
    response
      .setHeader("www-authenticate", `Bearer error="invalid_token", error_description=${JSON.stringify(heard)}`)
      .writeHead(401)
      .end(),
  "as a redirect": (heard, response) =>
    response.writeHead(302, { location: `https://elsewhere.example/?${encodeURIComponent(heard)}` }).end(),
};

beforeAll(async () => {
  service = await startTestService({ logger, provider: providerAdapter });
  server = await startTestServer(service);
  application = await createApplication(service);
  const registrations = await createRegistrations(service);
  provider = await serve((request, response) => void answer(request, response));
  const addresses = addressesAt(provider.url);
  for (const id of Object.values(registrations)) await moveRegistration(service, id, { addresses }, CLIENT_SECRET);
});
afterAll(async () => {
  await server.close();
  await provider.close();
  await service.close();
});

const every = SOCIAL_PROVIDERS.flatMap((name) => Object.keys(ECHOES).map((echo) => [name, echo] as const));
test.each(every)("what is sent to %s and echoed %s appears in no log, page, row or task", async (name, echo) => {
  Object.assign(upstream, { echo: ECHOES[echo], heard: [] });
  lines.length = 0;
  const received: string[] = [];
  const secrets = [CLIENT_SECRET, ...Object.values(TOKENS), application.key.split(".")[1] ?? ""];
  for (const issuesTokens of [false, true]) {
    upstream.issuesTokens = issuesTokens;
    const walk = await connect(name);
    received.push(walk.received);
    secrets.push(...walk.secrets);
  }
  for (const { id } of await service.prisma.grant.findMany()) await revokeOrphanedGrant(service, id);

  const heard = upstream.heard.join("\n");
  secrets.push(...[...heard.matchAll(/code_verifier=([\w-]+)/g)].map(([, verifier]) => verifier ?? ""));
  // The provider received secrets that it could echo, and the service logged the failures.
  for (const secret of [CLIENT_SECRET, TOKENS.access_token, "canary-code"]) expect(heard).toContain(secret);
  expect(lines.join("")).toContain("connect attempt failed at the provider");
  const rows = await service.pool.query("SELECT a::text FROM connect_attempt a");
  const everywhere = [...lines, ...received, JSON.stringify(rows.rows), JSON.stringify(service.enqueued)].join("\n");
  expect(secrets.filter((secret) => everywhere.includes(secret))).toEqual([]);
  await service.prisma.grant.deleteMany();
  await service.prisma.connectAttempt.deleteMany();
});

/**
 * From the session to the end of the callback; returns the secrets and everything that a browser and a caller received.
 */
async function connect(name: SocialProvider): Promise<{ readonly secrets: string[]; readonly received: string }> {
  const session = await startConnect(service, application, { provider: name });
  const [id, launchToken] = [session.id, session.launchToken.reveal()];
  const launched = await postForm(`${server.url}/api/connect/redeem`, { launchToken });
  const [state, cookie, code] = [stateOf(launched), cookiesOf(launched), `canary-code-${id}`];
  const search = new URLSearchParams({ code, state });
  const back = await visit(`${server.url}/api/connect/callback/${providerSlug(name)}?${search}`, cookie);
  expect(locationOf(back)).toContain("ss_status=FAILED");
  const { data: result } = await query(
    server,
    application.key,
    "query($scope: SubjectScope!, $id: ID!) { connectSessionResult(scope: $scope, id: $id) { status resultCode } }",
    { scope: application.scope, id },
  );
  return {
    secrets: [launchToken, state, code, cookie.split("=")[1] ?? ""],
    received: JSON.stringify([[...back.headers], await back.text(), result]),
  };
}
