import { refusalMessage, retryAfterSeconds } from "@social-connect/domain";
import { EgressError, readBounded } from "../platform/network/egress.ts";
import { isRecord } from "./coerce.ts";
import { ProviderError, type ProviderSession, type Refusal, type RegistrationAccess } from "./contract.ts";
import { parseExactJson } from "./exactJson.ts";
import { isOwnFailure, providerErrorOf } from "./serviceFault.ts";

/** Maximum size of a response in bytes, even where the `fetch` of a registration has no limit. */
const MAX_BODY_BYTES = 4 * 1_024 * 1_024;

/** Form fields without credentials. */
const PUBLIC_FIELDS: readonly string[] = ["grant_type", "redirect_uri", "client_id", "client_key"];

export interface HttpRequest {
  readonly method: "GET" | "POST";
  /** Absolute URL without its query. */
  readonly address: string;
  /** undefined parameters are not sent. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly accessToken?: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

export interface HttpAnswer {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Headers;
  /** The parsed body, integers exact; undefined when it is empty, truncated or not JSON. */
  readonly body: unknown;
  readonly empty: boolean;
  /** The wait from Retry-After, limited; null without one. */
  readonly retryAfterSeconds: number | null;
  /** Credentials that the request sent, which the response may repeat. */
  readonly secrets: readonly string[];
}

/** What the provider sent with a refusal. The names of the message are those of all error formats that we know. */
export function refusalOf({ status, body, secrets }: HttpAnswer, code: string | null): Refusal {
  const root = isRecord(body) ? body : {};
  const inside = [root.error, root.data].filter(isRecord);
  const texts = inside.flatMap(({ message, description }) => [message, description]);
  const own = [root.error_description, root.error_message, root.description, root.message];
  const message = [...texts, ...own].map((text) => refusalMessage(text, secrets)).find((text) => text !== null) ?? null;
  return { status, code, message };
}

/** One read of the API, without interpretation of the response. The token is in a header, because URLs are logged. */
export function readApi(
  { registration, accessToken }: ProviderSession,
  path: string,
  query: HttpRequest["query"] = {},
): Promise<HttpAnswer> {
  const address = `${registration.addresses.api}/${path}`;
  return callProvider(registration, { method: "GET", address, query, accessToken });
}

/** Calls a provider and reads its response of any status. Throws ProviderError without a complete response. */
export async function callProvider(registration: RegistrationAccess, request: HttpRequest): Promise<HttpAnswer> {
  const url = new URL(request.address);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const headers = new Headers({ accept: "application/json" });
  if (request.accessToken !== undefined) headers.set("authorization", `Bearer ${request.accessToken}`);
  let body: string | undefined;
  if (request.form !== undefined) {
    headers.set("content-type", "application/x-www-form-urlencoded");
    body = new URLSearchParams(request.form).toString();
  } else if (request.json !== undefined) {
    headers.set("content-type", "application/json; charset=UTF-8");
    body = JSON.stringify(request.json);
  }
  const init = {
    method: request.method,
    headers,
    redirect: "manual" as const,
    ...(body === undefined ? {} : { body }),
  };
  const response = await send(registration, url.href, init);
  try {
    const sent = Object.entries(request.form ?? {}).flatMap(([name, value]) =>
      PUBLIC_FIELDS.includes(name) ? [] : value,
    );
    const secrets = [registration.clientSecret, request.accessToken, ...sent];
    return {
      ...(await readAnswer(response, url.origin, registration.now)),
      secrets: secrets.filter((secret) => secret !== undefined),
    };
  } catch (error) {
    throw transportFailure(error, url.origin);
  }
}

/** Sends a request. Throws ProviderError: `internal` if this service, its settings or its machine prevented it. */
async function send(registration: RegistrationAccess, url: string, init: RequestInit): Promise<Response> {
  try {
    return await registration.fetch(url, init);
  } catch (error) {
    throw error instanceof EgressError ? transportFailure(error, new URL(url).origin) : providerErrorOf(error);
  }
}

/**
 * Reads a whole response up to the limit. Throws the stream's error, or an EgressError for a body that is too large.
 */
async function readAnswer(response: Response, origin: string, now: Date): Promise<Omit<HttpAnswer, "secrets">> {
  const text = new TextDecoder().decode(await readBounded(response, MAX_BODY_BYTES, origin));
  return {
    status: response.status,
    ok: response.status >= 200 && response.status < 300,
    headers: response.headers,
    body: parseExactJson(text),
    empty: text.trim() === "",
    retryAfterSeconds: retryAfterSeconds(response.headers.get("retry-after"), now),
  };
}

/** An incomplete call in the contract's terms. The message never contains a path, a query or a body. */
function transportFailure(error: unknown, origin: string): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof EgressError) {
    const { isUnsent } = error;
    return new ProviderError(isOwnFailure(error) ? "internal" : "unavailable", error.message, { isUnsent });
  }
  return new ProviderError("unavailable", `the exchange with ${origin} failed`);
}
