import { Agent, request } from "node:http";

export interface Call {
  readonly url: string;
  readonly key: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface Answered {
  readonly tookMs: number;
  /** The code of the first error; null without errors. */
  readonly code: string | null;
  readonly retryAfterSeconds: number | null;
}

/** Calls over keep-alive connections. An unanswered call rejects. */
export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

  async call({ url, key, query, variables }: Call): Promise<Answered> {
    const body = JSON.stringify({ query, variables });
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
    };
    const begin = performance.now();
    const { status, text } = await this.#send(url, { method: "POST", headers }, body);
    const tookMs = performance.now() - begin;
    // 400 is the status of an invalid document.
    if (status !== 200 && status !== 400) throw new Error(`status ${status}: ${text.slice(0, 300)}`);
    if (!text.includes('"errors"')) return { tookMs, code: null, retryAfterSeconds: null };
    const [error] = (JSON.parse(text) as { errors: { extensions: { code: string; retryAfterSeconds?: number } }[] })
      .errors;
    return {
      tookMs,
      code: error?.extensions.code ?? "none",
      retryAfterSeconds: error?.extensions.retryAfterSeconds ?? null,
    };
  }

  async status(url: string): Promise<{ readonly status: number; readonly tookMs: number }> {
    const begin = performance.now();
    const { status } = await this.#send(url, { method: "GET" }, "");
    return { status, tookMs: performance.now() - begin };
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(url: string, options: object, body: string): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { ...options, agent: this.#agent }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }
}
