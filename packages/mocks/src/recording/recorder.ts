import { CONSUMER_PATHS } from "@social-connect/contract";
import { parseJson } from "@social-connect/transport";
import { parse } from "graphql";
import { operationsOf } from "../graphql/callLog.ts";
import { machineNowMs } from "../util/machineClock.ts";
import { type Exchange, type ExchangeResponse, newRecording, type Recording } from "./recording.ts";
import { Scrubber } from "./scrubber.ts";

/** Options of a recorder. */
export interface RecorderOptions {
  /** The `fetch` that reaches the service; the global one by default. */
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds since 1970; the system time by default. */
  readonly now?: () => number;
}

/** Records what an application asks a service, without keys, tokens and other strings: pass its `fetch` to the SDK. */
export class Recorder {
  readonly #fetch: typeof globalThis.fetch;
  readonly #now: () => number;
  readonly #scrubber = new Scrubber();
  readonly #exchanges: Exchange[] = [];
  #startedAtMs: number | null = null;

  constructor({ fetch = (input, init) => globalThis.fetch(input, init), now = machineNowMs }: RecorderOptions = {}) {
    this.#fetch = fetch;
    this.#now = now;
  }

  /** Number of recorded requests. */
  get count(): number {
    return this.#exchanges.length;
  }

  /** Sends a request. Records it when it is a POST to the consumer API. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.method !== "POST" || !new URL(request.url).pathname.endsWith(CONSUMER_PATHS.graphql))
      return this.#fetch(request);
    const nowMs = this.#now();
    this.#startedAtMs ??= nowMs;
    const body = await request.clone().text();
    const index = this.#exchanges.push(this.#exchange(body, nowMs, null, null)) - 1;
    const response = await this.#fetch(request);
    this.#exchanges[index] = this.#exchange(body, nowMs, response.status, await response.clone().text());
    return response;
  };

  /** The recording so far, in the order of the requests. */
  recording(): Recording {
    return newRecording(new Date(this.#startedAtMs ?? this.#now()), [...this.#exchanges]);
  }

  #exchange(body: string, nowMs: number, status: number | null, answer: string | null): Exchange {
    const { query, variables } = (parseJson(body) ?? {}) as { query?: unknown; variables?: unknown };
    const text = typeof query === "string" ? this.#scrubber.query(query, nowMs) : null;
    const scrubbed = this.#scrubber.value(variables ?? {}, nowMs);
    return {
      atMs: nowMs - (this.#startedAtMs ?? nowMs),
      operation: text === null ? null : operationIn(text),
      query: text ?? "",
      variables: scrubbed as Exchange["variables"],
      status,
      response: answer === null ? null : this.#response(answer, nowMs),
    };
  }

  #response(answer: string, nowMs: number): ExchangeResponse | null {
    const parsed = parseJson(answer);
    if (typeof parsed !== "object" || parsed === null || !("data" in parsed || "errors" in parsed)) return null;
    const { data, errors } = parsed as { data?: unknown; errors?: unknown };
    const list = Array.isArray(errors) ? (errors as { extensions?: Record<string, unknown> }[]) : null;
    return {
      ...(data !== undefined && { data: this.#scrubber.value(data, nowMs) }),
      ...(list !== null && {
        errors: list.map((error) => ({
          code: this.#scrubber.code(error?.extensions?.["code"]),
          reason: this.#scrubber.code(error?.extensions?.["reason"]),
        })),
      }),
    };
  }
}

function operationIn(query: string): string | null {
  const operation = parse(query).definitions.find((one) => one.kind === "OperationDefinition");
  return operationsOf(operation ?? null)[0] ?? null;
}
