import {
  CAPABILITIES,
  type Capability,
  CONNECTION_STATUSES,
  type ConnectionStatus,
  SOCIAL_PROVIDERS,
  type SocialProvider,
} from "@social-connect/contract";
import { parse } from "graphql";
import { ConsumerMock } from "../mock/consumerMock.ts";
import type { SeedConnection } from "../seed/seedData.ts";
import { MockMisuseError } from "../util/misuse.ts";
import type { Exchange, ExchangeResponse, Recording } from "./recording.ts";
import { responseProblems } from "./responseProblems.ts";
import { isPlaceholder, timeOf } from "./scrubber.ts";

/** A difference between a recorded response and the mocks. */
export interface ReplayDifference {
  /** Number of the request in the recording, counted from 1. */
  readonly number: number;
  /** The first root field; null for a document that cannot be parsed. */
  readonly operation: string | null;
  /** The place in the response; null for the whole response. */
  readonly path: string | null;
  /** What differs. */
  readonly text: string;
}

/** Differences between a recording and the mocks. */
export interface ReplayReport {
  /** Whether there is any difference. */
  readonly hasDrift: boolean;
  /** Number of requests that were replayed and compared. */
  readonly replayed: number;
  /** Requests whose outcome depends on load, an outage or a lost response, so they are not compared. */
  readonly skipped: number;
  /** In the order of the requests. */
  readonly differences: readonly ReplayDifference[];
}

/** Formats a report, with one line for each difference. */
export function replayText({ hasDrift, replayed, skipped, differences }: ReplayReport): string {
  const notCompared = skipped === 0 ? "" : ` Not compared (rate limits, outages, unreadable requests): ${skipped}.`;
  if (!hasDrift) return `No differences: the mocks respond to ${replayed} requests as recorded.${notCompared}`;
  const width = Math.max(...differences.map(({ operation }) => (operation ?? "").length));
  return [
    ...differences.map(
      ({ number, operation, path, text }) =>
        `${String(number).padStart(4)}  ${(operation ?? "").padEnd(width)}  ${path === null ? "" : `${path}: `}${text}`,
    ),
    "",
    `Differences: ${differences.length} in ${replayed} requests.${notCompared}`,
  ].join("\n");
}

/** Codes that depend on load and on outages. */
const TEMPORARY: readonly (string | null)[] = ["RATE_LIMITED", "UPSTREAM_UNAVAILABLE", "SYNC_WINDOW_BUSY"];

const RESULT = "a result";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Replays a recording on a mock with the recorded accounts, in which users decide and jobs end as recorded, and compares:
 * outcomes and HTTP statuses with the mock's, and data with the mocks' schema.
 */
export async function replayRecording(recording: Recording): Promise<ReplayReport> {
  const replay = new Replay(recording);
  const differences: ReplayDifference[] = [];
  let skipped = 0;
  for (const [index, exchange] of recording.exchanges.entries()) {
    const found = await replay.run(exchange);
    if (found === null) skipped += 1;
    for (const one of found ?? []) differences.push({ number: index + 1, operation: exchange.operation, ...one });
  }
  return { hasDrift: differences.length > 0, replayed: recording.exchanges.length - skipped, skipped, differences };
}

class Replay {
  readonly #mock: ConsumerMock;
  readonly #startMs: number;
  /** Values of the mock by the placeholders of the recording. */
  readonly #values = new Map<string, string>();

  constructor({ startedAt, exchanges }: Recording) {
    this.#startMs = Date.parse(startedAt);
    const variables = exchanges.map((exchange) => exchange.variables);
    const returnUrls = (name: string) => [
      ...gather(
        exchanges.filter(({ operation }) => operation === name).map((exchange) => exchange.variables),
        "returnUrl",
      ),
    ];
    const connectUrls = returnUrls("createConnectSession");
    const identityUrls = returnUrls("createIdpIdentitySession");
    const origins = new Set([...connectUrls, ...identityUrls].map((url) => new URL(url).origin));
    const tenantKeys = [...gather(variables, "tenantKey")];
    const known = accountsIn(exchanges);
    this.#mock = new ConsumerMock({
      seed: "replay",
      now: startedAt,
      application: {
        ...(tenantKeys.length > 0 && { tenantKeys }),
        ...(origins.size > 0 && { webOrigins: [...origins] }),
        ...(connectUrls.length > 0 && { returnUrls: connectUrls }),
        ...(identityUrls.length > 0 && { identityReturnUrls: identityUrls }),
      },
      connections: known.map(({ connection }) => connection),
    });
    const connections = this.#mock.connections();
    for (const [index, { id }] of known.entries()) this.#values.set(id, connections[index]?.state.id ?? "");
  }

  /** Differences of a response; null when it cannot be compared. */
  async run(exchange: Exchange): Promise<Omit<ReplayDifference, "number" | "operation">[] | null> {
    const { operation, query, status, response } = exchange;
    await this.#prepare(exchange);
    const [code = null] = (response?.errors ?? []).map((error) => error.code);
    if (operation === null || status === null || status >= 500 || status === 429 || TEMPORARY.includes(code))
      return null;
    const answer = await this.#ask(exchange);
    if (response === null) return [{ path: null, text: `HTTP ${status} without a GraphQL response` }];
    if (status !== answer.status)
      return [{ path: null, text: `HTTP ${status}, but the mocks return HTTP ${answer.status}` }];
    const [recorded, replayed] = [outcomeOf(response), outcomeOf(answer.response)];
    if (recorded !== replayed) {
      const why = answer.message === null ? "" : ` (${answer.message})`;
      return [{ path: null, text: `${recorded}, but the mocks return ${replayed}${why}` }];
    }
    if (recorded !== RESULT) return [];
    this.#bind(response.data, answer.response.data);
    return [...responseProblems(parse(query), response.data)];
  }

  /** Moves the mock to the state in which the response was recorded. */
  async #prepare({ atMs, operation, variables, response }: Exchange): Promise<void> {
    const { clock } = this.#mock;
    await this.#mock.settle();
    const atTimeMs = this.#startMs + atMs;
    if (atTimeMs > clock.now()) await clock.set(atTimeMs);
    const id = this.#values.get(String(variables["id"] ?? "")) ?? null;
    const result = (response?.data as Fields | undefined)?.[operation ?? ""] as Fields | null | undefined;
    const status = result?.["status"];
    if (id === null || typeof status !== "string") return;
    try {
      if (operation === "connectSessionResult") await this.#endAttempt(id, status);
      if (operation === "redeemIdpIdentityResult" && status === "COMPLETED") this.#mock.identity(id).signIn("ada");
      if (operation === "redeemIdpIdentityResult" && status === "DENIED") this.#mock.identity(id).deny();
      if (operation === "redeemIdpIdentityResult" && status === "FAILED") this.#mock.identity(id).fail();
    } catch (error) {
      // It has ended before; the comparison shows whether it ended as recorded.
      if (!(error instanceof MockMisuseError)) throw error;
    }
  }

  async #endAttempt(id: string, status: string): Promise<void> {
    const attempt = this.#mock.connect(id);
    if (status === "COMPLETED") attempt.complete({ account: `replayed-${this.#mock.connections().length + 1}` });
    if (status === "DENIED") attempt.deny();
    if (status === "FAILED") attempt.fail();
    if (status === "EXPIRED") await attempt.expire();
    if (status === "AUTHORIZING") attempt.launch();
    await this.#mock.settle();
  }

  async #ask({ query, variables }: Exchange): Promise<{
    readonly status: number;
    readonly response: ExchangeResponse;
    /** The message of the first error. */
    readonly message: string | null;
  }> {
    const { baseUrl, key, fetch } = this.#mock;
    const answer = await fetch(`${baseUrl}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ query: this.#filledQuery(query), variables: this.#filled(variables) }),
    });
    const { data, errors } = (await answer.json()) as {
      data?: unknown;
      errors?: { message: string; extensions: { code?: string; reason?: string } }[];
    };
    const list = errors?.map(({ extensions: { code = null, reason = null } }) => ({ code, reason }));
    const response = { ...(data !== undefined && { data }), ...(list && { errors: list }) };
    return { status: answer.status, response, message: errors?.[0]?.message ?? null };
  }

  /** A copy with values of the mock in place of placeholders. */
  #filled(value: unknown): unknown {
    if (typeof value === "string") return this.#values.get(value) ?? timeOf(value, this.#mock.clock.now()) ?? value;
    if (Array.isArray(value)) return value.map((entry) => this.#filled(entry));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, this.#filled(entry)]));
  }

  #filledQuery(query: string): string {
    return query.replaceAll(/"([^"\\\n]*)"/g, (_, text: string) => JSON.stringify(this.#filled(text)));
  }

  /** Remembers the values of the mock at the places of placeholders. */
  #bind(recorded: unknown, replayed: unknown): void {
    if (isPlaceholder(recorded)) {
      if (typeof replayed === "string" && !this.#values.has(recorded)) this.#values.set(recorded, replayed);
    } else if (Array.isArray(recorded)) {
      if (Array.isArray(replayed)) for (const [index, entry] of recorded.entries()) this.#bind(entry, replayed[index]);
    } else if (typeof recorded === "object" && recorded !== null && typeof replayed === "object" && replayed !== null) {
      for (const [name, entry] of Object.entries(recorded)) this.#bind(entry, (replayed as Fields)[name]);
    }
  }
}

function outcomeOf({ data, errors }: ExchangeResponse): string {
  const [error] = errors ?? [];
  if (error !== undefined)
    return `the error ${error.code ?? "without a code"}${error.reason === null ? "" : ` (${error.reason})`}`;
  return data === undefined || data === null ? "no data" : RESULT;
}

/** The placeholders in properties of this name. */
function gather(value: unknown, name: string, into = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(value)) for (const entry of value) gather(entry, name, into);
  else if (typeof value === "object" && value !== null) {
    for (const [key, entry] of Object.entries(value)) {
      if (key === name && isPlaceholder(entry)) into.add(entry);
      else gather(entry, name, into);
    }
  }
  return into;
}

/** Accounts that were linked before the recording, with the placeholders of their ids. */
function accountsIn(exchanges: readonly Exchange[]): { readonly id: string; readonly connection: SeedConnection }[] {
  const linked = gather(
    exchanges.map(({ response }) => response?.data),
    "connectionId",
  );
  const found = new Map<string, SeedConnection>();
  for (const { operation, variables, response } of exchanges) {
    const scope = variables["scope"] as Fields | undefined;
    const data = (response?.data as Fields | null | undefined)?.[operation ?? ""] as Fields | null | undefined;
    const listed = operation === "connections" ? data?.["items"] : operation === "connection" ? [data] : [];
    for (const item of Array.isArray(listed) ? (listed as Fields[]) : []) {
      const { id, provider, status = "CONNECTED", capabilities } = (item ?? {}) as Fields;
      const isKnown =
        SOCIAL_PROVIDERS.some((one) => one === provider) && CONNECTION_STATUSES.some((one) => one === status);
      if (!isPlaceholder(id) || found.has(id) || linked.has(id) || !isKnown) continue;
      found.set(id, {
        provider: provider as SocialProvider,
        account: `recorded-${found.size + 1}`,
        ...(isPlaceholder(scope?.["tenantKey"]) && { tenantKey: scope["tenantKey"] }),
        ...(isPlaceholder(scope?.["externalSubjectId"]) && { externalSubjectId: scope["externalSubjectId"] }),
        ...capabilitiesOf(capabilities),
        ...statusOf(status as ConnectionStatus),
      });
    }
  }
  return [...found].map(([id, connection]) => ({ id, connection }));
}

function capabilitiesOf(list: unknown): Pick<SeedConnection, "capabilities"> {
  const named = Array.isArray(list) ? list.map((one: Fields | null) => one?.["capability"]) : [];
  const capabilities = CAPABILITIES.filter((one) => named.includes(one)) as readonly Capability[];
  return capabilities.length === 0 ? {} : { capabilities };
}

function statusOf(status: ConnectionStatus): Pick<SeedConnection, "status"> {
  return status === "DELETING" ? { status: "DISCONNECTED" } : { status };
}
