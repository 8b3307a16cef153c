import type { Side } from "../load/sides.ts";
import type { Check } from "../results/checks.ts";
import { cpuMsOf } from "../results/cpu.ts";
import { EXPENSIVE } from "./documents.ts";

const MOST = 2;
const WARM_UP = 4_000;
/** Repetitions of a request in a round. */
const REPETITIONS = 10;
const PLAIN = JSON.stringify({ query: "{ integrationReadiness { idpIdentityAvailable } }" });
const UNKNOWN_KEY = `00000000-0000-4000-8000-000000000000.${"0".repeat(64)}`;

interface Target {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const TARGETS: readonly Target[] = [
  { name: "consumer API without a key", path: "/graphql", headers: {} },
  { name: "consumer API with a malformed key", path: "/graphql", headers: { authorization: "Bearer x" } },
  { name: "consumer API with a wrong key", path: "/graphql", headers: { authorization: `Bearer ${UNKNOWN_KEY}` } },
  { name: "admin API without a key", path: "/api/admin/graphql", headers: {} },
  {
    name: "admin API with a wrong key",
    path: "/api/admin/graphql",
    headers: { authorization: `Bearer scadm_${UNKNOWN_KEY}` },
  },
  { name: "panel without a session", path: "/panel/graphql", headers: {} },
];

/** Plain and expensive requests alternate, and the least time of each pair counts: other load only adds to it. */
export async function costsOfRefusals(server: Side, rounds: number): Promise<Check[]> {
  const bodies = Object.entries(EXPENSIVE).map(([name, body]) => [name, JSON.stringify(body)] as const);
  const checks: Check[] = [];
  for (const { name, path, headers } of TARGETS) {
    const send = (body: string) => post(`${server.url}${path}`, headers, body);
    const costOf = async (body: string): Promise<number> => {
      const before = await cpuMsOf(server.pid);
      for (let sent = 0; sent < REPETITIONS; sent += 1) await send(body);
      return ((await cpuMsOf(server.pid)) - before) / REPETITIONS;
    };
    for (let sent = 0; sent < WARM_UP; sent += 1) await send(bodies[sent % bodies.length]?.[1] ?? PLAIN);
    const pairs = bodies.map(([kind, body]) => ({ kind, body, plain: [] as number[], expensive: [] as number[] }));
    for (let round = 0; round < rounds; round += 1) {
      for (const { body, plain, expensive } of pairs) {
        plain.push(await costOf(PLAIN));
        expensive.push(await costOf(body));
      }
    }
    const least = Math.min(...pairs.flatMap(({ plain }) => plain));
    const costs = pairs.map(({ kind, plain, expensive }) => ({
      kind,
      quotient: Math.min(...expensive) / Math.min(...plain),
    }));
    costs.sort((one, other) => other.quotient - one.quotient);
    const most = costs.slice(0, 3).map(({ kind, quotient }) => `${kind} ${quotient.toFixed(2)}`);
    console.log(`${name}: a plain refused call takes ${least.toFixed(2)} ms; times that: ${most.join(", ")}`);
    checks.push({
      name: `${name}: each of ${bodies.length} expensive requests costs at most ${MOST} times a plain one`,
      isMet: costs.every(({ quotient }) => quotient <= MOST),
    });
  }
  return checks;
}

async function post(url: string, headers: Target["headers"], body: string): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body,
  });
  const text = await response.text();
  if (!text.includes('"errors"'))
    throw new Error(`a request was not refused: ${response.status} ${text.slice(0, 200)}`);
}
