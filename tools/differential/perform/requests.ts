import type { RequestOptions } from "../../../packages/conformance/src/wire/call.ts";
import type { RequestVariant, StepOf } from "../generate/steps.ts";
import { type Actor, shown } from "./actor.ts";

interface SentRequest extends RequestOptions {
  readonly body: string | null;
}

const document = (query: string, more: object = {}): string => JSON.stringify({ query, ...more });
const READINESS = "{ integrationReadiness { idpIdentityAvailable } }";
const aliases = (count: number) =>
  document(`{ ${Array.from({ length: count }, (_, index) => `a${index}: status { ok }`).join(" ")} }`);
const nested = (depth: number): string => (depth === 0 ? "id" : `items { ${nested(depth - 1)} }`);
const CONNECTIONS = 'connections(scope: { tenantKey: "tenant-one", externalSubjectId: "ann" })';
const costly = Array.from({ length: 8 }, (_, index) => `c${index}: ${CONNECTIONS} { items { id provider status } }`);

/** Requests that are wrong in form, or at the edge of it, each with its key and body. */
function requestOf(variant: RequestVariant, key: string): SentRequest {
  const [keyId = "", secret = ""] = key.split(".");
  const requests: Readonly<Record<RequestVariant, SentRequest>> = {
    "no-key": { body: document(READINESS), authorization: null },
    "malformed-key": { body: document(READINESS), authorization: `bearer ${key}` },
    "unknown-key": {
      body: document(READINESS),
      authorization: `Bearer 00000000-0000-4000-8000-000000000000.${secret}`,
    },
    "wrong-secret": { body: document(READINESS), authorization: `Bearer ${keyId}.${"0".repeat(64)}` },
    get: { body: null, method: "GET" },
    "not-json": { body: "{" },
    batch: { body: JSON.stringify([{ query: READINESS }, { query: READINESS }]) },
    "two-operations": { body: document(`query A ${READINESS} query B ${READINESS}`, { operationName: "A" }) },
    "no-operation": { body: document("fragment F on ApiStatus { ok }") },
    subscription: { body: document("subscription { status { ok } }") },
    introspection: { body: document("{ __schema { types { name } } }") },
    "unknown-field": { body: document("{ status { nothing } }") },
    "unknown-argument": { body: document("{ status(a: 1) { ok } }") },
    "missing-variable": {
      body: document("query($scope: SubjectScope!) { connections(scope: $scope) { items { id } } }"),
    },
    "nine-aliases": { body: aliases(9) },
    "eight-aliases": { body: aliases(8) },
    "too-deep": { body: document(`{ ${CONNECTIONS} { ${nested(9)} } }`) },
    "too-costly": { body: document(`{ ${costly.join(" ")} }`) },
    "fragment-cycle": { body: document("{ status { ...F } } fragment F on ApiStatus { ...F }") },
    "other-media-type": { body: document(READINESS), headers: { "content-type": "text/plain" } },
    "too-large": { body: document(`{ status { ok } } # ${"x".repeat(65_536)}`) },
    "named-operation-missing": { body: document(`query A ${READINESS}`, { operationName: "B" }) },
    "schema-text": { body: null, method: "GET", path: "/schema.graphql" },
  };
  return requests[variant];
}

export async function performRequest(actor: Actor, { app, variant }: StepOf<"request">): Promise<unknown> {
  const key = actor.apps.get(app)?.key;
  if (key === undefined || key === "") return null;
  const { body, ...options } = requestOf(variant, key);
  return shown(await actor.caller(key).send(body, options));
}
