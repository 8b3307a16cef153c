/** Messages of providers, signed as the providers do, and registrations and connections that they concern. */
import { createHmac } from "node:crypto";
import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import type { LocalServer } from "@social-connect/testkit";
import { beforeAll, beforeEach } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import {
  createApplication,
  createPublished,
  createRegistrations,
  type TestApplication,
} from "../../modules/testing/builders.ts";
import { createConnection } from "../../modules/testing/connections.ts";
import { dumpDatabase } from "../../modules/testing/databaseDump.ts";
import { startTestService, type TestService } from "../../modules/testing/testService.ts";
import { newId } from "../../platform/ids.ts";
import { securityLog } from "../../platform/log/securityLog.ts";
import { recordingLogger } from "../../platform/testing/recordingLogger.ts";
import { providerAdapter } from "../../providers/registry/registry.ts";
import { startTestServer } from "./testServer.ts";

const { logger, lines } = recordingLogger("info", "api");

/** Its providers verify signatures. */
export let service: TestService;
export let server: LocalServer;
export let applications: readonly [TestApplication, TestApplication];
let users = 0;

export function useProviderMessages(): void {
  beforeAll(async () => {
    service = { ...(await startTestService({ logger })), provider: providerAdapter };
    server = await startTestServer(service);
    await createRegistrations(service);
    applications = [await createApplication(service, "shop"), await createApplication(service, "other")];
    return () => server.close().then(service.close);
  });
  beforeEach(() => {
    service.clock.set("2026-03-10T12:00:00.000Z");
    securityLog(service).flush();
    lines.length = 0;
  });
}

/** The lines of the security log since the test began. */
export function securityLines(): Record<string, unknown>[] {
  securityLog(service).flush();
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event }) => typeof event === "string" && /\.(?:refused|ignored)$/.test(event))
    .map(({ event, provider, reason, address }) => ({ event, provider, reason, address }));
}

export function newUser(): string {
  users += 1;
  return `user-${users}`;
}

export function register(provider: SocialProvider, clientId: string, clientSecret: string): Promise<string> {
  return createPublished(service, provider, clientId, clientSecret);
}

export function connect(
  provider: SocialProvider,
  registrationId: string,
  accountId: string,
  application: TestApplication = applications[0],
): Promise<Connection> {
  const of = Object.fromEntries(SOCIAL_PROVIDERS.map((one) => [one, registrationId])) as Record<SocialProvider, string>;
  return createConnection(service, application, of, { provider, accountId, externalSubjectId: newId() });
}

export async function statusOf({ id }: Connection): Promise<string | null> {
  return (await service.prisma.connection.findFirst({ where: { id } }))?.status ?? null;
}

export function seconds(offsetSeconds = 0): number {
  return Math.floor(service.clock.current.getTime() / 1_000) + offsetSeconds;
}

export function webhook(
  fields: Readonly<Record<string, unknown>>,
  secret: string,
  at: number = seconds(),
): { readonly body: string; readonly header: string } {
  const message = { event: "authorization.removed", create_time: at, content: '{"reason": 1 }' };
  const body = JSON.stringify({ ...message, ...fields });
  return { body, header: `t=${at},s=${signatureOf(body, secret, at)}` };
}

export function signatureOf(body: string, secret: string, at: number): string {
  return createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
}

export function sendWebhook(
  { body, header }: { readonly body: string; readonly header?: string },
  provider = "provider-b",
) {
  const headers = { "content-type": "application/json", ...(header !== undefined && { "tiktok-signature": header }) };
  return fetch(`${server.url}/api/connect/${provider}/webhook`, { method: "POST", headers, body });
}

export function signedRequest(fields: Readonly<Record<string, unknown>>, secret: string): string {
  const payload = { algorithm: "HMAC-SHA256", issued_at: seconds(), ...fields };
  const encoded = Buffer.from(JSON.stringify(payload)).toString("base64url");
  return `${createHmac("sha256", secret).update(encoded).digest("base64url")}.${encoded}`;
}

export function requestDeletion(signed: string | null, provider = "provider-c"): Promise<Response> {
  const body = new URLSearchParams(signed === null ? {} : { signed_request: signed });
  return fetch(`${server.url}/api/connect/${provider}/data-deletion`, { method: "POST", body });
}

export async function snapshot(): Promise<string> {
  return (await dumpDatabase(service.pool)).toSorted().join("\n");
}
