import autocannon from "autocannon";

/** What is sent, repeatedly and in this order. */
export interface Sent {
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  /** Without a path. */
  readonly url: string;
  readonly requests: readonly Sent[];
  readonly connections: number;
  /** Ends after this time, or after so many requests. */
  readonly until: { readonly seconds: number } | { readonly requests: number };
}

/** A request of GraphQL. */
export function graphql(path: string, key: string, query: string, variables: object): Sent {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return { path, headers, body: JSON.stringify({ query, variables }) };
}

/** Sends requests over keep-alive connections. `onResponse` gets each response, and how long it took. */
export async function run(
  { url, requests, connections, until }: Load,
  onResponse: (status: number, body: string) => void,
) {
  const tookMs: number[] = [];
  const {
    errors,
    timeouts,
    duration,
    requests: counted,
  } = await autocannon({
    url,
    connections,
    timeout: 60,
    ...("seconds" in until ? { duration: until.seconds } : { amount: until.requests }),
    requests: requests.map(({ method = "POST", ...request }) => ({ method, ...request, onResponse })),
    setupClient: (client) => client.on("response", (_status, _bytes, responseTime) => tookMs.push(responseTime)),
  });
  return { perSecond: counted.total / duration, count: counted.total, unanswered: errors + timeouts, tookMs };
}

/** The same, where each request must succeed. */
export async function runWithoutErrors(load: Load) {
  const failed: string[] = [];
  const measured = await run(load, (status, body) => {
    if (status !== 200 || body.includes('"errors"')) failed.push(`status ${status}: ${body.slice(0, 300)}`);
  });
  if (failed.length > 0) throw new Error(failed[0]);
  if (measured.unanswered > 0) throw new Error(`${measured.unanswered} requests were not answered`);
  return measured;
}
