import { Agent, request } from "node:http";

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly concurrency: number;
  /** Ends after this time, or after `count` requests. */
  readonly seconds?: number;
  readonly count?: number;
}

export interface Measured {
  readonly count: number;
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** Sends the same request over keep-alive connections. Throws at the first response that is not 200 or has errors. */
export async function measure(load: Load): Promise<Measured> {
  const {
    url,
    headers,
    body,
    concurrency,
    seconds = Number.POSITIVE_INFINITY,
    count = Number.POSITIVE_INFINITY,
  } = load;
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const length = { "content-length": String(Buffer.byteLength(body)) };
  const once = () =>
    new Promise<void>((resolve, reject) => {
      const sent = request(url, { method: "POST", agent, headers: { ...headers, ...length } }, (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => {
          if (response.statusCode === 200 && !text.includes('"errors"')) resolve();
          else reject(new Error(`status ${response.statusCode}: ${text.slice(0, 300)}`));
        });
      });
      sent.on("error", reject);
      sent.end(body);
    });
  const took: number[] = [];
  let begun = 0;
  const start = performance.now();
  const end = start + seconds * 1_000;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < end && begun < count) {
        begun += 1;
        const begin = performance.now();
        await once();
        took.push(performance.now() - begin);
      }
    }),
  );
  agent.destroy();
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? 0;
  return {
    count: took.length,
    perSecond: (took.length * 1_000) / (performance.now() - start),
    medianMs: at(0.5),
    p99Ms: at(0.99),
  };
}
