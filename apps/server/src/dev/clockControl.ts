import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { localRequestProblem } from "@social-connect/domain";
import { z } from "zod";
import type { Database } from "../platform/database/database.ts";
import { type HttpListener, listen } from "../platform/network/httpListener.ts";
import { MovableClock } from "../platform/time/clock.ts";
import { createTaskQueue } from "../worker/taskQueue.ts";

/** Ten years: further than any rule of the service. */
const MOST_MS = 10 * 366 * 86_400_000;
const advance = z.object({ advanceMs: z.number().int().min(0).max(MOST_MS) });

/**
 * The endpoint that moves the clock of a development environment: `GET /` returns the time and how to move it,
 * `POST /advance` with `{ "advanceMs": 600000 }` moves it. The simulator's clock moves too, so that its tokens expire in
 * step, and due work starts immediately instead of with the next schedule.
 */
export async function startClockControl(database: Database, port: number, simulatorUrl: string): Promise<HttpListener> {
  const clock = new MovableClock(database.pool);
  const queue = createTaskQueue(database.pool, clock);
  const answer = async (request: IncomingMessage): Promise<readonly [number, unknown]> => {
    const problem = localRequestProblem({
      method: request.method ?? "",
      hosts: request.headersDistinct["host"] ?? [],
      header: (name) => request.headersDistinct[name]?.[0] ?? null,
    });
    if (problem !== null) return [403, { error: problem }];
    if (request.method === "GET" && request.url === "/") {
      const command = `curl -X POST -d '{"advanceMs":600000}' http://127.0.0.1:${port}/advance`;
      return [200, { now: await clock.now(), toAdvance: command }];
    }
    if (request.method !== "POST" || request.url !== "/advance") return [404, { error: "GET / or POST /advance" }];
    const body = advance.safeParse(parseJson(await text(request)));
    if (!body.success) return [400, { error: `send {"advanceMs": <0 to ${MOST_MS}>}` }];
    const now = await clock.advance(body.data.advanceMs);
    await advanceSimulator(simulatorUrl, body.data.advanceMs);
    await queue.sweepSoon();
    return [200, { now }];
  };
  return listen(
    (request, response) => {
      answer(request)
        .catch((error: Error) => [503, { error: error.message }] as const)
        .then(([status, body]) => {
          response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(body)}\n`);
        });
    },
    "127.0.0.1",
    port,
  );
}

/** On a new connection: the simulator may close an idle one just when it is used again, and this must not be sent twice. */
async function advanceSimulator(simulatorUrl: string, advanceMs: number): Promise<void> {
  const headers = { "content-type": "application/json" };
  const sent = httpRequest(`${simulatorUrl}/__sim/clock`, { method: "POST", headers, agent: false });
  sent.end(JSON.stringify({ advanceMs }));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`The simulator's clock returned ${response.statusCode}: ${answer}`);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
