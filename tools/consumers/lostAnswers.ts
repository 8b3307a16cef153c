import { mkdir, readFile, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { serve } from "../../packages/testkit/src/index.ts";
import { run } from "../packages/commands.ts";
import { runInWorker } from "./bundled.ts";
import type { Runtime } from "./toolchain.ts";

const ANSWERED = "integrationReadiness";
const ANSWER = { data: { [ANSWERED]: { providers: [], idpIdentityAvailable: false } } };
/** A value with the format of a key. */
const KEY = `11111111-2222-4333-8444-555555555555.${"ab".repeat(32)}`;
const PROGRAM = fileURLToPath(new URL("./uses/lostAnswers.ts", import.meta.url));

/** How a connection ends instead of an answer. */
const ENDS: Readonly<Record<string, (socket: Socket) => void>> = {
  closed: (socket) => socket.end(),
  reset: (socket) => socket.resetAndDestroy(),
  cut: (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-ty"),
};

/** A runtime may return a connection to its pool too late; such a run is repeated. */
const MOST_RUNS = 10;

/** As `uses/lostAnswers.ts` reports it. */
interface LostAnswer {
  readonly operation: string;
  readonly isPooled: boolean;
  readonly attempts: number;
  readonly mayHaveBeenSent: boolean | null;
}

interface Received {
  readonly operation: string;
  readonly socket: Socket;
}

/** Runs the program in one runtime with an address. Returns what it printed. */
type RunProgram = (url: string) => Promise<string>;

/**
 * In each runtime, a request whose connection ends without an answer is sent once, on a new connection and on a reused one, and
 * the error says that it may have been sent.
 */
export async function proveLostAnswers(
  place: string,
  runtimes: readonly (Runtime & { readonly parameters?: readonly string[] })[],
): Promise<void> {
  const folder = join(place, "lost-answers");
  const { program, worker } = await writePrograms(folder);
  for (const { name, program: runtime, parameters = [] } of runtimes) {
    await proveRuntime(name, (url) => run(runtime, [...parameters, program, url], { folder }));
  }
  await proveRuntime("workerd", (url) => runInWorker(worker, url));
  const names = [...runtimes.map(({ name }) => name), "workerd"].join(", ");
  console.log(
    `  a request whose connection ends without an answer is sent once, and reported as possibly sent, in ${names}`,
  );
}

async function writePrograms(folder: string): Promise<{ readonly program: string; readonly worker: string }> {
  const { code } = await transform(await readFile(PROGRAM, "utf8"), { loader: "ts" });
  const urls = JSON.stringify(Object.keys(ENDS).map((end) => `/${end}`));
  const loseAt = (url: string) => `loseAnswers(${urls}.map((path) => ${url} + path), "${KEY}")`;
  const program = `import process from "node:process";
import { loseAnswers } from "./lostAnswers.js";
console.log(JSON.stringify(await ${loseAt("process.argv[2]")}));
`;
  const worker = `import { loseAnswers } from "./lostAnswers.js";
const addressIn = (url) => new URL(url).searchParams.get("service");
export default { fetch: async ({ url }) => Response.json(await ${loseAt("addressIn(url)")}) };
`;
  const files = {
    "package.json": '{"type":"module"}',
    "lostAnswers.js": code,
    "main.js": program,
    "worker.ts": worker,
  };
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return { program: join(folder, "main.js"), worker: join(folder, "worker.ts") };
}

async function proveRuntime(name: string, runProgram: RunProgram): Promise<void> {
  let isReused = false;
  for (let runs = 0; runs < MOST_RUNS && !isReused; runs++) {
    const service = await startLosing();
    try {
      const outcomes = JSON.parse(await runProgram(service.url)) as readonly LostAnswer[];
      isReused = check(name, outcomes, service.received);
    } finally {
      await service.close();
    }
  }
  if (!isReused) throw new Error(`${name} reused no connection, so nothing was tested on one`);
}

/** Throws if a request was sent twice or reported wrongly. Returns whether each connection that should be reused was. */
function check(name: string, outcomes: readonly LostAnswer[], received: readonly Received[]): boolean {
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

/** The first root field of a document. */
function operationIn(query: string): string {
  return /\{\s*(\w+)/.exec(query.replace(/\([^)]*\)/g, ""))?.[1] ?? "";
}

/** A service that answers one operation, keeps the connection, and ends it for every other operation. */
async function startLosing() {
  const received: Received[] = [];
  const server = await serve(async (request, response) => {
    const { socket, url } = request;
    socket.once("error", () => undefined);
    const { query } = (await json(request)) as { readonly query: string };
    const operation = operationIn(query);
    received.push({ operation, socket });
    if (operation !== ANSWERED) return ENDS[url?.split("/")[1] ?? ""]?.(socket);
    response.setHeader("content-type", "application/json").end(JSON.stringify(ANSWER));
  });
  return { ...server, received };
}
