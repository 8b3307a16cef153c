/** A separate process that requests unknown pages on many connections until it gets a stop message; it reports the answers. */
import { Agent } from "node:http";
import { get } from "./getPage.ts";

const PATHS = [
  "/unknown",
  "/api/connect/unknown",
  "/api/connect/callback/unknown",
  "/api/connect/redeem",
  "/api/identity/unknown",
  "/panel/assets/unknown.js",
  "/favicon.ico",
  "/%zz",
];

export interface PageFlood {
  readonly url: string;
  readonly connections: number;
}

let isStopped = false;
let answered = 0;

async function flood({ url, connections }: PageFlood): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const callers = Array.from({ length: connections }, async (_, index) => {
    for (let sent = index; !isStopped; sent += 1) {
      await get(`${url}${PATHS[sent % PATHS.length]}`, agent, "127.0.0.1");
      answered += 1;
    }
  });
  await Promise.all(callers);
  agent.destroy();
  process.send?.(answered);
}

process.on("message", (message: PageFlood | "stop") => {
  if (message === "stop") {
    isStopped = true;
    return;
  }
  isStopped = false;
  answered = 0;
  void flood(message);
});
