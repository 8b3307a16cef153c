import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { getPriority, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { Check } from "../results/checks.ts";
import { median } from "../results/median.ts";
import { get } from "./getPage.ts";
import type { PageFlood } from "./pageFlood.ts";

const FLOOD = fileURLToPath(new URL("./pageFlood.ts", import.meta.url));
const FLAGS = ["--disable-warning=ExperimentalWarning"];
const MOST_SLOWDOWN = 3;
const SECONDS = 3;
const FLOOD_ADDRESS = "127.0.0.1";
/** A person's own request: a callback without an attempt, which is refused with a page. */
const CONNECT_PAGE = "/api/connect/callback/provider-a?state=unknown&code=x";

/** Idle and flooded turns alternate. The visitor comes from the flood's address, and from another. */
export async function floodOfPages(url: string, connections: number, rounds: number): Promise<Check[]> {
  const flooding = fork(FLOOD, { execArgv: FLAGS });
  // Elsewhere callers run on other machines: this one must not take the processor from the server that it floods.
  if (flooding.pid !== undefined) setPriority(flooding.pid, getPriority() + 5);
  const checks: Check[] = [];
  try {
    for (const from of [FLOOD_ADDRESS, "127.0.0.2"]) {
      const idle: number[] = [];
      const flooded: number[] = [];
      await visitFor(url, from, 1);
      for (let round = 0; round < rounds; round += 1) {
        idle.push(...(await visitFor(url, from, SECONDS)));
        const flood: PageFlood = { url, connections };
        flooding.send(flood);
        flooded.push(...(await visitFor(url, from, SECONDS)));
        const reported = once(flooding, "message");
        flooding.send("stop");
        const [answered] = (await reported) as [number];
        if (answered === 0) throw new Error("no unknown page was answered");
      }
      const [before, during] = [median(idle), median(flooded)];
      const whose = from === FLOOD_ADDRESS ? "the same address" : "another address";
      const figures = `${before.toFixed(1)} ms idle, ${during.toFixed(1)} ms, ${(during / before).toFixed(2)} times`;
      console.log(`a Connect page from ${whose} while ${connections} connections request unknown ones: ${figures}`);
      checks.push({
        name: `Connect pages from ${whose} take at most ${MOST_SLOWDOWN} times their idle median`,
        isMet: during <= MOST_SLOWDOWN * before,
      });
    }
    return checks;
  } finally {
    flooding.kill();
  }
}

async function visitFor(url: string, from: string, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const begin = performance.now();
    await get(url + CONNECT_PAGE, agent, from);
    times.push(performance.now() - begin);
  }
  agent.destroy();
  return times;
}
