import type { Socket } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { serve } from "../../packages/testkit/src/index.ts";
import { ENDED } from "./failingServers.ts";
import { bundleAndRunWorker, runProgram, writeProgram } from "./runtimes.ts";
import { nodeRuntimes, otherRuntimes } from "./toolchain.ts";

const ANSWERED = "integrationReadiness";
const ANSWER = { data: { [ANSWERED]: { providers: [], idpIdentityAvailable: false } } };
/** A value with the format of a key. */
const KEY = `11111111-2222-4333-8444-555555555555.${"ab".repeat(32)}`;
/** How a connection ends instead of an answer, by the failing servers. */
const ENDS = ["closed", "reset", "cut-headers"];
/** A runtime may return a connection to its pool too late; such a run is repeated. */
const MOST_RUNS = 10;

interface Received {
  readonly operation: string;
  readonly socket: Socket;
}

/**
 * In each runtime, a request whose connection ends without an answer is sent once, on a new connection and on a reused one, and
 * the error says that it may have been sent.
 */
export async function proveLostAnswers(place: string): Promise<void> {
  const folder = join(place, "lost-answers");
  const program = 'import { loseAnswers } from "./lostAnswers.js";\n';
  await writeProgram(
    folder,
    "lostAnswers",
    `${program}export const run = ({ urls }) => loseAnswers(urls, "${KEY}");\n`,
  );
  const runtimes = [...nodeRuntimes(), ...otherRuntimes()];
  for (const runtime of runtimes) await proveRuntime(runtime.name, (input) => runProgram(folder, runtime, input));
  await proveRuntime("workerd", (input) => bundleAndRunWorker(join(folder, "worker.js"), input));
  const names = [...runtimes.map(({ name }) => name), "workerd"].join(", ");
  console.log(
    `  a request whose connection ends without an answer is sent once, and reported as possibly sent, in ${names}`,
  );
}

/** As `uses/lostAnswers.ts` reports it. */
type Outcomes = readonly { operation: string; isPooled: boolean; attempts: number; mayHaveBeenSent: boolean | null }[];

async function proveRuntime(name: string, runIn: (input: object) => Promise<Outcomes>): Promise<void> {
  for (let runs = 0; runs < MOST_RUNS; runs++) {
    const service = await startLosing();
    try {
      const outcomes = await runIn({ urls: ENDS.map((end) => `${service.url}/${end}`) });
      if (check(name, outcomes, service.received)) return;
    } finally {
      await service.close();
    }
  }
  throw new Error(`${name} reused no connection, so nothing was tested on one`);
}

/** Throws if a request was sent twice or reported wrongly. Returns whether each connection that should be reused was. */
function check(name: string, outcomes: Outcomes, received: readonly Received[]): boolean {
  const wrong = outcomes.filter(({ attempts, mayHaveBeenSent }) => attempts !== 1 || mayHaveBeenSent !== true);
  if (outcomes.length === 0 || wrong.length > 0) throw new Error(`${name}: the SDK says ${JSON.stringify(wrong)}`);
  const expected = outcomes.flatMap(({ operation, isPooled }) => [...(isPooled ? [ANSWERED] : []), operation]);
  const arrived = received.map(({ operation }) => operation);
  const at = arrived.findIndex((operation, index) => operation !== expected[index]);
  if (at >= 0 || arrived.length !== expected.length) {
    throw new Error(`${name}: the service received ${arrived[at]} as request ${at + 1} instead of ${expected[at]}`);
  }
  return received.every(
    ({ operation, socket }, index) => operation !== ANSWERED || received[index + 1]?.socket === socket,
  );
}

/** A service that answers one operation, keeps the connection, and ends it for every other operation. */
async function startLosing() {
  const received: Received[] = [];
  const server = await serve(async (request, response) => {
    const { socket, url } = request;
    socket.once("error", () => undefined);
    const { query } = (await json(request)) as { readonly query: string };
    // The first root field.
    const operation = /\{\s*(\w+)/.exec(query.replace(/\([^)]*\)/g, ""))?.[1] ?? "";
    received.push({ operation, socket });
    if (operation !== ANSWERED) return ENDED[url?.split("/")[1] ?? ""]?.(socket);
    response.setHeader("content-type", "application/json").end(JSON.stringify(ANSWER));
  });
  return { ...server, received };
}
