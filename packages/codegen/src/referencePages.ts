import {
  ADMIN_OPERATIONS,
  type AdminErrorCode,
  API_KEY_OPERATIONS,
  CONSUMER_OPERATIONS,
  type ErrorCode,
  LIMITS,
} from "@social-connect/contract";
import type { OperationsConfig } from "./operations.ts";

/** An API as its reference page introduces it. */
export interface ReferencePage extends OperationsConfig {
  readonly title: string;
  /** The paragraphs before the operations. */
  readonly introduction: string;
  /** The codes of an operation, without the codes that every operation can return. */
  readonly errors: Readonly<Record<string, readonly (ErrorCode | AdminErrorCode)[]>>;
  /** Sections after the types. */
  readonly appendix?: string;
}

const JSON_HEADER = "-H 'content-type: application/json'";
const READING = [
  "FORBIDDEN",
  "NOT_FOUND",
  "AUTHORIZATION_SUSPENDED",
  "RECONNECT_REQUIRED",
  "CAPABILITY_UNAVAILABLE",
] as const;
const CHANGE = ["NOT_FOUND", "CONFLICT"] as const;

export const CONSUMER_PAGE: ReferencePage = {
  operations: CONSUMER_OPERATIONS,
  title: "Consumer API",
  introduction: `The GraphQL API for the backends of applications. TypeScript backends use the [SDK](../../../packages/sdk/README.md), which
has a method for each operation.

- Send \`POST {base URL}/graphql\` with a JSON body \`{ "query": …, "variables": … }\` and one operation. Batches are not
  supported. Any other method gets HTTP 405 with \`Allow: POST\`.
- Introspection is off. A document with \`__schema\` or \`__type\` is refused before any other check of the document. The schema is
  published at \`{base URL}/schema.graphql\` and in the package \`@social-connect/contract\`.
- Authenticate with \`Authorization: Bearer <application key>\`. Only \`status\` needs no key.
- Always read the body: errors usually arrive with HTTP status 200, in \`errors[].extensions\` with a \`code\`, a
  \`correlationId\` and, where waiting helps, \`retryAfterSeconds\`. Every response has the same id in the header
  \`x-correlation-id\`. Every operation can fail with
  [UNAUTHENTICATED](../errors/UNAUTHENTICATED.md), [FORBIDDEN](../errors/FORBIDDEN.md),
  [BAD_USER_INPUT](../errors/BAD_USER_INPUT.md), [RATE_LIMITED](../errors/RATE_LIMITED.md) and
  [UPSTREAM_UNAVAILABLE](../errors/UPSTREAM_UNAVAILABLE.md); further codes are listed with the operation.
- A document may have a depth of ${LIMITS.depth}, ${LIMITS.aliases} aliases and a cost of ${LIMITS.cost} (${LIMITS.costOfRootField} per root field, ${LIMITS.costOfNestedField} per nested field). Other limits are
  in [Codes and limits](../codes-and-limits.md#limits).
- New fields, enum values and codes can be added at any time. Treat unknown values as data.

The examples use a development environment ([how to start it](../../tutorials/quick-start.md)):

\`\`\`sh
url=http://127.0.0.1:4400
key=$(node -p 'require("./.social-connect/dev.json").consumer.key')
call() { curl -s "$url/graphql" -H "authorization: Bearer $key" ${JSON_HEADER} --data @-; }
\`\`\``,
  errors: {
    status: [],
    integrationReadiness: [],
    connectSessionResult: ["NOT_FOUND"],
    connection: READING.slice(1),
    connections: [],
    content: READING.slice(1),
    contentItem: READING.slice(1),
    syncJob: ["NOT_FOUND"],
    requestRefresh: [...READING.slice(1), "SYNC_WINDOW_BUSY", "RATE_LIMITED"],
    disconnectConnection: ["NOT_FOUND", "RATE_LIMITED"],
    createConnectSession: ["NOT_FOUND", "RECONNECT_REQUIRED", "DISCONNECT_IN_PROGRESS", "RATE_LIMITED"],
    requestContentLookup: [...READING.slice(1), "RATE_LIMITED"],
    createIdpIdentitySession: ["CAPABILITY_UNAVAILABLE", "RATE_LIMITED"],
    redeemIdpIdentityResult: ["NOT_FOUND"],
  },
};

export const ADMIN_PAGE: ReferencePage = {
  operations: API_KEY_OPERATIONS,
  title: "Admin API",
  introduction: `The GraphQL API for admin scripts. TypeScript programs use the [admin SDK](../../../packages/admin-sdk/README.md). The service
does not serve this schema; this page lists the operations that an admin key may call.

- Send \`POST {admin host}/api/admin/graphql\` over https with a JSON body \`{ "query": …, "variables": … }\` and one
  operation. Any other method gets HTTP 405 with \`Allow: POST\`. Send the full document each time: persisted queries are not
  supported. Introspection is refused: the file \`admin.graphql\` of \`@social-connect/contract\` has the schema.
- Authenticate with exactly one header \`Authorization: Bearer <admin key>\` and no cookie. An admin mints the key in the
  [panel](../../how-to/admin-panel.md#create-an-api-key-access-and-expiry). A READ key may call the queries, a WRITE key all operations
  of this page.
- Always read the body: errors arrive in \`errors[].extensions\` with a \`code\`, a \`correlationId\` and often a \`reason\`.
  Every operation can fail with [UNAUTHENTICATED](../errors/UNAUTHENTICATED.md),
  [FORBIDDEN](../errors/FORBIDDEN.md#on-the-admin-api), [BAD_USER_INPUT](../errors/BAD_USER_INPUT.md#on-the-admin-api) and
  [UPSTREAM_UNAVAILABLE](../errors/UPSTREAM_UNAVAILABLE.md#on-the-admin-api).
- A document may contain several mutations. They run in order, each in its own transaction; a failed one is null in \`data\`
  and has its \`path\` in \`errors\`. Types in this page are those of a successful operation.

The examples use a development environment ([how to start it](../../tutorials/quick-start.md)) and an admin key from its panel:

\`\`\`sh
host=http://127.0.0.1:4400
adminKey=…
call() { curl -s "$host/api/admin/graphql" -H "authorization: Bearer $adminKey" ${JSON_HEADER} --data @-; }
\`\`\``,
  errors: {
    ...Object.fromEntries(Object.keys(API_KEY_OPERATIONS).map((name) => [name, []])),
    adminClient: ["NOT_FOUND"],
    createClient: ["CONFLICT"],
    ...Object.fromEntries(
      Object.entries(API_KEY_OPERATIONS)
        .filter(([name, { kind }]) => kind === "mutation" && name !== "createClient")
        .map(([name]) => [name, CHANGE]),
    ),
  },
  appendix: panelOperations(),
};

/** What a key cannot call, so that a caller who searches for it finds out why. */
function panelOperations(): string {
  const namesOf = (wanted: string) =>
    Object.entries(ADMIN_OPERATIONS)
      .filter(([, { access, kind }]) => access === "PANEL" && kind === wanted)
      .map(([name]) => `\`${name}\``)
      .join(", ");
  return [
    "## Operations of the panel",
    "The [panel](../../how-to/admin-panel.md) uses these operations of the same schema. With a key they fail with\n[FORBIDDEN](../errors/FORBIDDEN.md#on-the-admin-api) and the reason `PANEL_ONLY`.",
    `- Queries: ${namesOf("query")}\n- Mutations: ${namesOf("mutation")}`,
  ].join("\n\n");
}
