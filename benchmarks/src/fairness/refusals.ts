import type { Deployment } from "../../../system-tests/deployment/deployment.ts";
import { type Check, cpuMsOf } from "../results/report.ts";

const MOST = 2;
const WARM_UP = 4_000;
/** Repetitions of a request in a round. */
const REPETITIONS = 10;
const inStatus = (selection: string) => ({ query: `{ status { ${selection} } }` });
const UNKNOWN = "{ unknown }";
/** Without a key, a body of at most 1 KiB and a document of at most 40 tokens is read: what takes longest there, and larger ones. */
const EXPENSIVE: Readonly<Record<string, { readonly query: string; readonly variables?: object }>> = {
  brackets: { query: "[".repeat(60_000) },
  "many tokens": inStatus("ok ".repeat(1_400)),
  "many directives": inStatus(`ok ${"@include(if: true) ".repeat(230)}`),
  "list of variable values": { query: UNKNOWN, variables: { all: Array(6_000).fill("CONTENT") } },
  "unused variable values": { query: UNKNOWN, variables: { all: Array(160).fill("a") } },
  "deep variable values": {
    query: UNKNOWN,
    variables: JSON.parse(`{"a":${"[".repeat(400)}1${"]".repeat(400)}}`),
  },
  "long name": { query: `{ ${"n".repeat(900)} }` },
  "unterminated string": { query: `{ connections(scope: "${"a".repeat(900)}` },
  "unicode escapes": { query: `{ connections(scope: "${"\\u00e4".repeat(120)}") }` },
  "block string": { query: `{ connections(scope: """${" ".repeat(200)}\n${"\n ".repeat(200)}""") }` },
  comments: { query: `${"#\n".repeat(300)}${UNKNOWN}` },
  "fragment cycle": { query: "{ ...A } fragment A on Query { ...B ...B } fragment B on Query { ...A ...A }" },
  "fragments that spread twice": {
    query: "{ ...A ...A } fragment A on Query { ...B ...B } fragment B on Query { unknown }",
  },
  "impossible fragments": inStatus("... on Connection { id } ".repeat(4)),
  "similar types": { query: "query($v: ConnectSessionResul, $w: ContentPag) { status { ok } }" },
  "similar types of fragments": { query: "{ ... on ConnectSessionResul { id } ... on ConnectionPag { id } }" },
  "similar fields": { query: "{ connectSessionResul contentIte connectio syncJo integrationReadines }" },
  "overlapping aliases": inStatus("a: ok ".repeat(8).concat("a: message")),
  "missing arguments": { query: "{ connections { items { id } } content { items { id } } connection { id } }" },
  introspection: { query: "{ __schema { types { name fields { name type { name ofType { name } } } } } }" },
  "nested introspection": {
    query: "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }",
  },
};
const PLAIN = JSON.stringify({ query: "{ integrationReadiness { idpIdentityAvailable } }" });
const UNKNOWN_KEY = `00000000-0000-4000-8000-000000000000.${"0".repeat(64)}`;

const TARGETS: readonly (readonly [name: string, path: string, key?: string])[] = [
  ["consumer API without a key", "/graphql"],
  ["consumer API with a malformed key", "/graphql", "x"],
  ["consumer API with a wrong key", "/graphql", UNKNOWN_KEY],
  ["admin API without a key", "/api/admin/graphql"],
  ["admin API with a wrong key", "/api/admin/graphql", `scadm_${UNKNOWN_KEY}`],
  ["panel without a session", "/panel/graphql"],
];

/** Plain and expensive requests alternate, and the least time of each pair counts: other load only adds to it. */
export async function costsOfRefusals({ api, url }: Deployment, rounds: number): Promise<Check[]> {
  const bodies = Object.entries(EXPENSIVE).map(([name, body]) => [name, JSON.stringify(body)] as const);
  const checks: Check[] = [];
  for (const [name, path, key] of TARGETS) {
    const send = (body: string) => post(`${url}${path}`, key, body);
    const pid = api.program.child.pid ?? Number.NaN;
    const costOf = async (body: string): Promise<number> => {
      const before = await cpuMsOf(pid);
      for (let sent = 0; sent < REPETITIONS; sent += 1) await send(body);
      return ((await cpuMsOf(pid)) - before) / REPETITIONS;
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

async function post(url: string, key: string | undefined, body: string): Promise<void> {
  const headers = { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  const response = await fetch(url, { method: "POST", headers, body });
  const text = await response.text();
  if (!text.includes('"errors"'))
    throw new Error(`a request was not refused: ${response.status} ${text.slice(0, 200)}`);
}
