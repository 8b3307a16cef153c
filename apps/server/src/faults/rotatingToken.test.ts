import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { type LocalServer, serve } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressesAt, moveRegistration } from "../modules/testing/builders.ts";
import { real, useRealService } from "../worker/testing/realServiceOfFile.ts";
import { Processes } from "./testing/processes.ts";
import type { ReaderProcessOptions } from "./testing/readerProcess.ts";

useRealService();

const PROCESSES = 3;
const READS = 17;

const processes = new Processes();

/** Provider B as a renewal uses it: each refresh token is valid once, and a second use ends the grant. */
const upstream = { access: "access-1", refresh: "refresh-1", ended: false, refreshes: 0, reads: 0, refused: 0 };
let provider: LocalServer;

async function respond(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const answer = (status: number, body: object) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (request.url === "/token") {
    const form = new URLSearchParams(await text(request));
    upstream.refreshes += 1;
    upstream.ended ||= form.get("refresh_token") !== upstream.refresh;
    // Long enough for the other processes to also find the token expired.
    await setTimeout(300);
    if (upstream.ended) return answer(400, { error: "invalid_grant", error_description: "used before" });
    upstream.access = randomBytes(8).toString("hex");
    upstream.refresh = randomBytes(8).toString("hex");
    const tokens = { access_token: upstream.access, refresh_token: upstream.refresh, token_type: "Bearer" };
    const lifetimes = { expires_in: 86_400, refresh_expires_in: 31_536_000 };
    return answer(200, { ...tokens, open_id: "b", scope: "video.list", ...lifetimes });
  }
  const isGood = request.headers.authorization === `Bearer ${upstream.access}` && !upstream.ended;
  upstream[isGood ? "reads" : "refused"] += 1;
  return isGood
    ? answer(200, { data: { videos: [], cursor: 0, has_more: false }, error: { code: "ok", message: "", log_id: "1" } })
    : answer(401, { error: { code: "access_token_invalid", message: "", log_id: "1" } });
}

beforeAll(async () => {
  provider = await serve((request, response) => void respond(request, response));
  await moveRegistration(real.service, real.registrations.PROVIDER_B, { addresses: addressesAt(provider.url) });
});
afterAll(async () => {
  await processes.end();
  await provider?.close();
});

test("three processes that read fifty times while a rotating token expires refresh it once, and the grant remains valid", async () => {
  const { service, databaseUrl, secretKey } = real;
  const tokens = { accessTokenExpiresAt: await service.clock.now() };
  const connection = await real.connect({ provider: "PROVIDER_B", tokens });
  const options: ReaderProcessOptions = { databaseUrl, secretKey, connectionId: connection.id, reads: READS };
  const readers = Array.from({ length: PROCESSES }, () =>
    processes.start("./readerProcess.ts", { READER_PROCESS: JSON.stringify(options) }),
  );
  await Promise.all(readers.map((reader) => reader.tells("ready")));
  const readAll = async (round: string) => {
    for (const { child } of readers) child.send(round);
    await Promise.all(readers.map((reader) => reader.tells(`${round}: read ${READS}, failed 0`)));
  };
  await readAll("run out");

  expect(upstream).toMatchObject({ refreshes: 1, reads: PROCESSES * READS, refused: 0, ended: false });
  const grant = await service.prisma.grant.findFirstOrThrow({ where: { connectionId: connection.id } });
  expect(grant).toMatchObject({ status: "ACTIVE", version: 2, renewalStartedAt: null });

  // A token that the provider rejects early is also renewed once.
  upstream.access = "withdrawn";
  await readAll("refused");
  expect(upstream).toMatchObject({ refreshes: 2, reads: 2 * PROCESSES * READS, ended: false });
});
