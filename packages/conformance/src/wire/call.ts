import { type Api, CONSUMER_API } from "./apis.ts";
import type { Recorder } from "./recorder.ts";

interface WireError {
  readonly message: string;
  readonly extensions?: {
    readonly code?: string;
    readonly reason?: string;
    readonly correlationId?: string;
    readonly retryAfterSeconds?: number;
  };
  readonly [other: string]: unknown;
}

export interface WireBody {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly WireError[];
  readonly [other: string]: unknown;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** null when the body is not a JSON object. */
  readonly body: WireBody | null;
}

export interface RequestOptions {
  /** Absent: the key is sent; null: no Authorization header. */
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly path?: string;
}

interface CallerOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly recorder?: Recorder;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The consumer API when absent. */
  readonly api?: Api;
}

/** A program's connection to one of the APIs: a key, a transport, and a record of what was on the wire. */
export class ApiCaller {
  readonly #options: CallerOptions;

  constructor(options: CallerOptions) {
    this.#options = options;
    options.recorder?.secret(options.key);
  }

  graphql(query: string, variables: unknown = {}, options: RequestOptions = {}): Promise<WireAnswer> {
    return this.send(JSON.stringify({ query, variables }), options, [query, variables]);
  }

  /** Sends a body unchanged; `document` is what is recorded of it. */
  async send(
    body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
    options: RequestOptions = {},
    document: readonly [query: string, variables: unknown] = ["", {}],
  ): Promise<WireAnswer> {
    const { baseUrl, key, recorder, fetch = globalThis.fetch, api = CONSUMER_API } = this.#options;
    const authorization = options.authorization === undefined ? `Bearer ${key}` : options.authorization;
    const response = await fetch(baseUrl + (options.path ?? api.path), {
      method: options.method ?? "POST",
      headers: {
        "content-type": "application/json",
        ...(authorization !== null && { authorization }),
        ...options.headers,
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(30_000),
      ...(typeof body === "object" && body !== null && "getReader" in body && { duplex: "half" as const }),
    });
    const text = await response.text();
    const parsed = parseObject(text);
    recorder?.see(api.observe(...document, response.status, parsed));
    return { status: response.status, headers: response.headers, text, body: parsed };
  }
}

function parseObject(text: string): WireBody | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as WireBody) : null;
  } catch {
    return null;
  }
}

/** A page of any list of the two APIs. */
interface Page<Item> {
  readonly items: readonly Item[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

export async function allOf<Item>(load: (after: string | null) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let after: string | null = null; ; ) {
    const page: Page<Item> = await load(after);
    items.push(...page.items);
    if (!page.pageInfo.hasNextPage) return items;
    after = page.pageInfo.endCursor;
  }
}
