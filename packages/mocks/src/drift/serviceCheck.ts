import { CONSUMER_PATHS } from "@social-connect/contract";
import { messageOf } from "@social-connect/domain";
import { networkMessage } from "@social-connect/sdk-core/transportError";
import { parseJson } from "@social-connect/transport";
import { buildSchema } from "graphql";
import { CONSUMER_SCHEMA_TEXT } from "../_generated/consumerSchema.ts";
import { type BoundedFetch, DriftCheckError } from "./boundedFetch.ts";
import type { DriftSettings } from "./driftOptions.ts";
import { type SchemaDifference, schemaDifferences } from "./schemaDifferences.ts";

const ADD_TENANT =
  "Add it in the admin panel or, if `dev` runs there, with `npx @social-connect/server client add --tenant KEY`.";
const ADMIN_PATH = "/api/admin/graphql";

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** null when the body is not a GraphQL response. */
  readonly body: { readonly data?: Readonly<Record<string, unknown>> | null; readonly code: string | null } | null;
}

/**
 * Verifies that an address is the service before any key is sent, then that it accepts the keys. Throws a DriftCheckError
 * otherwise.
 */
export class ServiceCheck {
  readonly #settings: DriftSettings;
  readonly #wire: BoundedFetch;

  constructor(settings: DriftSettings, wire: BoundedFetch) {
    this.#settings = settings;
    this.#wire = wire;
  }

  async compareSchema(): Promise<readonly SchemaDifference[]> {
    const status = await this.readStatus();
    const schema = await this.#send(this.#settings.url + CONSUMER_PATHS.schema, { method: "GET" });
    const differences = await differencesOf(schema);
    const isKnown = typeof status.body?.data?.["status"] === "object" || differences.isOurs;
    if (!isKnown) throw notTheService(this.#settings.url, "its schema and its status differ completely");
    await this.#checkKeys();
    return differences.found;
  }

  /** Reads the status without a key. Throws unless the response is GraphQL. */
  async readStatus(): Promise<Answer> {
    const { url } = this.#settings;
    const answer = await this.#ask(url + CONSUMER_PATHS.graphql, "{ status { ok } }", null);
    if (answer.body === null) {
      if (answer.status >= 500) throw new DriftCheckError("unreachable", `${url} returned HTTP ${answer.status}.`);
      throw notTheService(
        url,
        `a query at ${CONSUMER_PATHS.graphql} returned HTTP ${answer.status}, ${answer.contentType || "without a content type"}`,
      );
    }
    return answer;
  }

  async #checkKeys(): Promise<void> {
    const { url, key, tenantKey, admin } = this.#settings;
    const graphql = url + CONSUMER_PATHS.graphql;
    const codeOf = async (query: string) => (await this.#ask(graphql, query, key)).body?.code;
    const code = await codeOf("{ integrationReadiness { idpIdentityAvailable } }");
    if (code === "UNAUTHENTICATED") throw new DriftCheckError("key", `${url} does not accept the key.`);
    if (code === "FORBIDDEN") throw new DriftCheckError("key", `The application of the key is disabled at ${url}.`);
    if (tenantKey !== undefined) {
      const scope = `{ tenantKey: ${JSON.stringify(tenantKey)}, externalSubjectId: "drift-check" }`;
      if ((await codeOf(`{ connections(scope: ${scope}) { items { id } } }`)) === "FORBIDDEN")
        throw new DriftCheckError("key", `The tenant is not registered for the key's application. ${ADD_TENANT}`);
    }
    if (admin === undefined) return;
    const answer = await this.#ask(admin.host + ADMIN_PATH, "{ previewTemplate { template } }", admin.key);
    if (answer.body === null) throw notTheService(admin.host, `the admin API returned HTTP ${answer.status}`);
    if (answer.body.code === "UNAUTHENTICATED")
      throw new DriftCheckError("key", `${admin.host} does not accept the admin key.`);
    if (answer.body.code === "FORBIDDEN")
      throw new DriftCheckError("key", `The admin API does not accept requests to ${admin.host}.`);
  }

  async #ask(url: string, query: string, key: string | null): Promise<Answer> {
    const headers = { "content-type": "application/json", ...(key !== null && { authorization: `Bearer ${key}` }) };
    return this.#send(url, { method: "POST", headers, body: JSON.stringify({ query }) });
  }

  async #send(url: string, init: RequestInit): Promise<Answer> {
    const { origin, pathname } = new URL(url);
    let response: Response;
    try {
      response = await this.#wire.fetch(url, init);
    } catch (error) {
      const { stopped } = this.#wire;
      if (this.#settings.signal?.aborted)
        throw new DriftCheckError("unfinished", `The check is incomplete: ${stopped}.`);
      throw new DriftCheckError(
        "unreachable",
        networkMessage(error, url) ?? `${origin} does not respond: ${reasonOf(error)}.`,
      );
    }
    const { status, headers } = response;
    if (status >= 300 && status < 400) {
      const text = `${origin}${pathname} redirects (HTTP ${status}). Redirects are not followed with a key: pass the final URL.`;
      throw new DriftCheckError("not-the-service", text);
    }
    const text = await response.text();
    return { status, contentType: headers.get("content-type") ?? "", text, body: bodyOf(text) };
  }
}

async function differencesOf({ status, text }: Answer): Promise<{
  readonly isOurs: boolean;
  readonly found: readonly SchemaDifference[];
}> {
  const coordinate = CONSUMER_PATHS.schema;
  const unread = (why: string) => ({ isOurs: false, found: [{ level: "breaking" as const, coordinate, text: why }] });
  if (status !== 200) return unread(`the schema is not published: HTTP ${status}`);
  try {
    const queries = Object.keys(buildSchema(text).getQueryType()?.getFields() ?? {});
    return {
      isOurs: queries.includes("integrationReadiness"),
      found: await schemaDifferences(CONSUMER_SCHEMA_TEXT, text),
    };
  } catch {
    return unread("the published schema cannot be parsed");
  }
}

function bodyOf(text: string): Answer["body"] {
  const parsed = parseJson(text);
  if (typeof parsed !== "object" || parsed === null || !("data" in parsed || "errors" in parsed)) return null;
  const { data, errors } = parsed as {
    data?: Readonly<Record<string, unknown>> | null;
    errors?: readonly { readonly extensions?: { readonly code?: unknown } }[];
  };
  const code = Array.isArray(errors) ? errors[0]?.extensions?.code : undefined;
  return { ...(data !== undefined && { data }), code: typeof code === "string" ? code : null };
}

function notTheService(url: string, why: string): DriftCheckError {
  return new DriftCheckError("not-the-service", `${url} is not a Social Connect service: ${why}.`);
}

function reasonOf(error: unknown): string {
  const { name, cause }: { readonly name?: unknown; readonly cause?: unknown } = Object(error);
  return name === "TimeoutError" ? "it took too long" : messageOf(cause ?? error);
}
