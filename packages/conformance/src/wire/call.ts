import { type Api, CONSUMER_API } from "./apis.ts";

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

/** Where a caller records what it saw, and which strings must never be printed. */
export interface Notes {
  see(observations: readonly string[]): void;
  secret(text: string): void;
}

/** For callers that record nothing. */
export const NO_NOTES: Notes = { see: () => {}, secret: () => {} };

interface CallerOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly notes: Notes;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The consumer API when absent. */
  readonly api?: Api;
}

/** A program's connection to one of the APIs: a key, a transport, and a record of what was on the wire. */
export class ApiCaller {
  readonly #baseUrl: string;
  readonly #key: string;
  readonly #notes: Notes;
  readonly #fetch: typeof globalThis.fetch;
  readonly #api: Api;

  constructor({ baseUrl, key, notes, fetch = globalThis.fetch, api = CONSUMER_API }: CallerOptions) {
    this.#baseUrl = baseUrl;
    this.#key = key;
    this.#notes = notes;
    this.#fetch = fetch;
    this.#api = api;
    notes.secret(key);
    notes.secret(key.slice(key.indexOf(".") + 1));
  }

  get baseUrl(): string {
    return this.#baseUrl;
  }

  graphql(query: string, variables: unknown = {}, options: RequestOptions = {}): Promise<WireAnswer> {
    return this.send(JSON.stringify({ query, variables }), options, { query, variables });
  }

  /** Sends a body unchanged. `meant`: the document that it contains, if any. */
  async send(
    body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
    options: RequestOptions = {},
    meant: { readonly query: string; readonly variables?: unknown } = { query: "" },
  ): Promise<WireAnswer> {
    const authorization = options.authorization === undefined ? `Bearer ${this.#key}` : options.authorization;
    const response = await this.#fetch(this.#baseUrl + (options.path ?? this.#api.path), {
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
    this.#notes.see(this.#api.observe(meant.query, meant.variables, response.status, parsed));
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
