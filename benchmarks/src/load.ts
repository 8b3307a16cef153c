import { Agent, request } from "node:http";

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly seconds: number;
  readonly concurrency: number;
}

export interface Measured {
  readonly count: number;
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

/**
 * Sends the same request over keep-alive connections, with the given concurrency and duration. Throws at the first
 * response that is not 200.
 */
export async function measure({ url, headers, body, seconds, concurrency }: Load): Promise<Measured> {
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
  const end = performance.now() + seconds * 1_000;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < end) {
        const begin = performance.now();
        await once();
        took.push(performance.now() - begin);
      }
    }),
  );
  agent.destroy();
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? 0;
  return { count: took.length, perSecond: took.length / seconds, medianMs: at(0.5), p99Ms: at(0.99) };
}
