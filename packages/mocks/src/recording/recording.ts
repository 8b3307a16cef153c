import { readFile } from "node:fs/promises";
import { parseJson } from "@social-connect/transport";
import { parse } from "graphql";
import { MockMisuseError } from "../util/misuse.ts";

const FORMAT = "social-connect-recording/1";

/** A request to a service and its response. Strings are placeholders, so that it contains no secret and no personal data. */
export interface Exchange {
  /** When it was sent, in milliseconds since the first request. */
  readonly atMs: number;
  /** The first root field; null for a document that cannot be parsed. */
  readonly operation: string | null;
  /** The document, with a placeholder for each literal text. */
  readonly query: string;
  /** The variables, with placeholders. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The HTTP status; null when there was no response. */
  readonly status: number | null;
  /** The GraphQL response; null when the body is not one. */
  readonly response: ExchangeResponse | null;
}

/** A GraphQL response, with placeholders in place of strings. */
export interface ExchangeResponse {
  /** The data, with placeholders; omitted when the response has none. */
  readonly data?: unknown;
  /** The errors, without their messages. */
  readonly errors?: readonly { readonly code: string | null; readonly reason: string | null }[];
}

/** Requests of an application to a service, in order. */
export interface Recording {
  /** Changes with the format of recordings. */
  readonly format: typeof FORMAT;
  /** When the first request was sent. */
  readonly startedAt: string;
  /** In the order of the requests. */
  readonly exchanges: readonly Exchange[];
}

export function newRecording(startedAt: Date, exchanges: readonly Exchange[]): Recording {
  return { format: FORMAT, startedAt: startedAt.toISOString(), exchanges };
}

/** Reads a recording of `record`. Rejects with a MockMisuseError for another file. */
export async function readRecording(path: string): Promise<Recording> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new MockMisuseError(`The recording ${path} cannot be read (${error.code}). Check its path.`);
  });
  const parsed = parseJson(text) as Partial<Recording> | null | undefined;
  if (
    parsed?.format !== FORMAT ||
    !Array.isArray(parsed.exchanges) ||
    !Number.isFinite(Date.parse(parsed.startedAt ?? ""))
  )
    throw new MockMisuseError(`${path} is not a recording of this version. Record it again with \`record\`.`);
  const damaged = parsed.exchanges.findIndex((exchange) => !isExchange(exchange));
  if (damaged >= 0)
    throw new MockMisuseError(`Request ${damaged + 1} of ${path} is damaged. Record it again with \`record\`.`);
  return parsed as Recording;
}

/** A recording is text that an editor or a merge can damage. */
function isExchange(value: unknown): value is Exchange {
  if (!isObject(value)) return false;
  const { atMs, operation, query, variables, status, response } = value;
  return (
    typeof atMs === "number" &&
    typeof query === "string" &&
    // As sent, which need not be an object: some clients send an empty list.
    variables !== undefined &&
    variables !== null &&
    (status === null || typeof status === "number") &&
    (operation === null || (typeof operation === "string" && isDocument(query))) &&
    (response === null || isResponse(response))
  );
}

function isResponse(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { errors } = value;
  return errors === undefined || (Array.isArray(errors) && errors.every(isObject));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isDocument(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
