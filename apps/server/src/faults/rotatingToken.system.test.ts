import { randomUUID } from "node:crypto";
import { control, type SimulatedAccount } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { moveRegistration } from "../modules/testing/builders.ts";
import { exchange, simulator, useSimulator } from "../providers/testing/simulated.ts";
import { real, useRealService } from "../worker/testing/realTimeService.ts";
import { startTold, type Told } from "./testing/processes.ts";
import type { ReaderProcessOptions, ReadRequest, ReadResult } from "./testing/readerProcess.ts";

useRealService();
useSimulator();

const PROCESSES = 3;
const READS = 3;

/** What the provider does with the first refreshes of a round, and whether the service knows that the token is still valid. */
const ANSWERS = [
  // Long enough for all processes to find the token expired.
  { fault: { kind: "delay", delayMs: 300 }, count: 1, refused: 0, isKnown: true },
  { fault: { kind: "lost-answer" }, count: 1, refused: 0, isKnown: false },
  { fault: { kind: "status", status: 503 }, count: 2, refused: 2, isKnown: true },
  { fault: { kind: "lost-answer", isReset: true }, count: 1, refused: 0, isKnown: false },
  { fault: { kind: "rate-limited" }, count: 2, refused: 2, isKnown: true },
  // Longer than the service waits; the refresh is applied.
  { fault: { kind: "delay", delayMs: 12_000 }, count: 1, refused: 0, isKnown: false },
  { fault: { kind: "refused", status: 403, code: "an_unknown_code" }, count: 2, refused: 2, isKnown: true },
  ...(["not-json", "other-shape", "cut", "stalled", "empty"] as const).map((form) => {
    return { fault: { kind: "body", form }, count: 1, refused: 0, isKnown: false };
  }),
];
/** All answers once; the full proof is 200. */
const ROUNDS = Number(process.env.ROUNDS ?? ANSWERS.length);
const BATCH_HANGS_AFTER_MS = 180_000;

interface Round {
  readonly answer: (typeof ANSWERS)[number];
  readonly name: string;
  readonly connectionId: string;
}

const processes = new AsyncDisposableStack();
let readers: Told[] = [];

const simulate = <Answer>(path: string, body: object) => control<Answer>(simulator.simulatorUrl, "POST", path, body);

beforeAll(async () => {
  const { databaseUrl, secretKey } = real;
  const options: ReaderProcessOptions = { databaseUrl, secretKey, reads: READS };
  readers = Array.from({ length: PROCESSES }, () =>
    startTold(processes, "./readerProcess.ts", { READER_PROCESS: JSON.stringify(options) }),
  );
  await Promise.all(readers.map((reader) => reader.tells("ready")));
  await simulate("/limits", { callsPerMinute: 1_000_000 });
});
afterAll(() => processes.disposeAsync());

/** A connection with an expired access token, whose next refreshes the provider answers so. */
async function prepare(answer: Round["answer"], name: string): Promise<Round> {
  const provider = "provider-b";
  const { accountId } = await simulate<SimulatedAccount>("/accounts", { provider, name });
  const { registration, tokens } = await exchange("PROVIDER_B", name);
  const { addresses, clientId, clientSecret } = registration;
  await moveRegistration(real.service, real.registrations.PROVIDER_B, { addresses, clientId }, clientSecret);
  await simulate("/faults", { provider, endpoint: "refresh", account: name, fault: answer.fault, count: answer.count });
  const expired = { ...tokens, accessTokenExpiresAt: await real.service.clock.now() };
  const connection = await real.connect({ provider: "PROVIDER_B", accountId, tokens: expired });
  return { answer, name, connectionId: connection.id };
}

/** Reads all connections in all processes at one instant. By connection: how many reads succeeded. */
async function readAll(rounds: readonly Round[]): Promise<number[]> {
  const request: ReadRequest = { connectionIds: rounds.map(({ connectionId }) => connectionId) };
  const results = readers.map((reader) => reader.next<ReadResult>());
  for (const { child } of readers) child.send(request);
  const counts = await Promise.all(results);
  return rounds.map((_, index) => counts.reduce((sum, count) => sum + (count[index] ?? 0), 0));
}

/** What the provider has counted, by round. */
async function usesOf(rounds: readonly Round[]) {
  return Promise.all(
    rounds.map(async ({ name }) => {
      const { grants } = await control<SimulatedAccount>(simulator.simulatorUrl, "GET", `/accounts/provider-b/${name}`);
      return { name, ended: grants[0]?.ended, ...grants[0]?.uses };
    }),
  );
}

const isKnown = ({ answer }: Round) => answer.isKnown;
const firstSent = ({ answer }: Round) => answer.refused + 1;

/** As many refreshes as expected, each the first with its token or after errors only. */
const sentOnce = ({ name }: Round, refreshes: number) => ({
  ...{ name, ended: null, refreshes },
  ...{ overlappingRefreshes: 0, replayedRefreshes: 0, blindRefreshes: 0, revocations: 0 },
});

test("three processes that read at one instant with an expired token send no rotating refresh token twice unless the provider refused it", {
  timeout: (BATCH_HANGS_AFTER_MS * ROUNDS) / ANSWERS.length,
}, async () => {
  for (let first = 0; first < ROUNDS; first += ANSWERS.length) {
    const answers = ANSWERS.slice(0, ROUNDS - first);
    const rounds: Round[] = [];
    for (const answer of answers) rounds.push(await prepare(answer, `round-${first + rounds.length}-${randomUUID()}`));

    const all = PROCESSES * READS;
    let read = await readAll(rounds);
    expect(await usesOf(rounds)).toEqual(rounds.map((round) => sentOnce(round, firstSent(round))));
    expect(read).toEqual(rounds.map((round) => (isKnown(round) ? all - round.answer.refused : 0)));

    // Later than a renewal can take: the process that announced it may have crashed.
    await real.service.pool.query(
      "UPDATE provider_grant SET renewal_started_at = renewal_started_at - interval '2 minutes'",
    );
    read = await readAll(rounds);
    expect(await usesOf(rounds)).toEqual(rounds.map((round) => sentOnce(round, firstSent(round))));
    expect(read).toEqual(rounds.map((round) => (isKnown(round) ? all : 0)));

    // The provider rejects access tokens earlier than the service expects.
    await simulate("/clock", { advance: "25h" });
    read = await readAll(rounds);
    const renewed = (round: Round) => firstSent(round) + (isKnown(round) ? 1 : 0);
    expect(await usesOf(rounds)).toEqual(rounds.map((round) => sentOnce(round, renewed(round))));
    expect(read).toEqual(rounds.map((round) => (isKnown(round) ? all : 0)));
  }
});
