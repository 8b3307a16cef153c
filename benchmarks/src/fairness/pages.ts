import { Agent, request } from "node:http";
import type { Check } from "../results/report.ts";
import type { Floods } from "./floods.ts";

const CONNECTIONS = 300;
const FLOOD_ADDRESS = "127.0.0.1";
/** A person's own request: a callback without an attempt, which is refused with a page. */
const CONNECT_PAGE = "/api/connect/callback/provider-a?state=unknown&code=x";
const UNKNOWN_PAGES = [
  "/unknown",
  "/api/connect/unknown",
  "/api/connect/callback/unknown",
  "/api/connect/redeem",
  "/api/identity/unknown",
  "/panel/assets/unknown.js",
  "/favicon.ico",
  "/%zz",
];

/** The visitor comes from the flood's address, and from another. */
export async function floodOfPages(url: string, floods: Floods, seconds: number): Promise<Check[]> {
  const requests = UNKNOWN_PAGES.map((path) => ({ method: "GET" as const, path }));
  const load = { url, requests, connections: CONNECTIONS, until: { seconds } };
  const checks: Check[] = [];
  for (const from of [FLOOD_ADDRESS, "127.0.0.2"]) {
    await visitFor(url, from, 1);
    const whose = from === FLOOD_ADDRESS ? "the same address" : "another address";
    const name = `Connect pages from ${whose} take at most three times their idle median`;
    const { check, shown, results } = await floods.compare(name, load, () => visitFor(url, from, seconds));
    if (results.some(({ answers }) => !Object.keys(answers).some((name) => name.startsWith("status"))))
      throw new Error("no unknown page was answered");
    const figures = `idle, during the flood, and their quotient: ${shown.join(", ")}`;
    console.log(`a Connect page from ${whose} while ${CONNECTIONS} connections request unknown ones: ${figures}`);
    checks.push(check);
  }
  return checks;
}

/** One page after the other, from an address of this machine. */
async function visitFor(url: string, localAddress: string, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const begin = performance.now();
    await new Promise<void>((resolve, reject) => {
      const sent = request(url + CONNECT_PAGE, { agent, localAddress }, (response) => {
        response.resume().once("end", resolve).once("error", reject);
      });
      sent.once("error", reject).end();
    });
    times.push(performance.now() - begin);
  }
  agent.destroy();
  return times;
}
