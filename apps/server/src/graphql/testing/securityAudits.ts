/** One check of a GraphQL endpoint: a request, and what in the response is a weakness. */
export interface SecurityAudit {
  readonly name: string;
  readonly send: (ask: Ask) => Promise<Response>;
  readonly isFinding: (text: string) => boolean;
}

/** The endpoint, and the headers that its clients always send. */
export interface Ask {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const OPERATION_NAME = "Audit";
const ALIASES = 101;
const DIRECTIVES = 10;
const BATCH = 10;
/** A schema that shows only introspection itself has fewer types. */
const MANY_TYPES = 25;
const TYPENAME = `query ${OPERATION_NAME} { __typename }`;
const CIRCLE = `query ${OPERATION_NAME} { __schema { types { ${"fields { type { ".repeat(4)}name${" } }".repeat(4)} } } }`;

function post(query: string) {
  return ({ url, headers }: Ask): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ query, operationName: OPERATION_NAME }),
    });
}

function get(query: string) {
  return ({ url, headers }: Ask): Promise<Response> => fetch(`${url}?${new URLSearchParams({ query })}`, { headers });
}

// biome-ignore lint/suspicious/noExplicitAny: an answer may have any shape, and a finding is one of them
type Body = any;

/** False also for a response that is not JSON or lacks the expected shape. */
function inBody(isFinding: (body: Body) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      return Boolean(isFinding(JSON.parse(text)));
    } catch {
      return false;
    }
  };
}

const hasExtension = (name: string) =>
  inBody((body) => body.extensions?.[name] ?? body.errors?.some((error: Body) => error.extensions?.[name]));

/** The checks of the public auditor graphql-cop. */
export const SECURITY_AUDITS: readonly SecurityAudit[] = [
  {
    name: "field suggestions",
    send: post(`query ${OPERATION_NAME} { __schema { directive } }`),
    isFinding: (text) => text.includes("Did you mean"),
  },
  {
    name: "introspection",
    send: post(`query ${OPERATION_NAME} { __schema { types { name fields { name } } } }`),
    isFinding: inBody((body) => body.data.__schema.types),
  },
  {
    name: "circular introspection",
    send: post(CIRCLE),
    isFinding: inBody((body) => body.data.__schema.types.length > MANY_TYPES),
  },
  {
    name: "an IDE page",
    send: ({ url, headers }) => fetch(url, { headers: { ...headers, accept: "text/html" } }),
    isFinding: (text) => /graphiql|graphql[ -]playground/i.test(text),
  },
  { name: "queries over GET", send: get(TYPENAME), isFinding: inBody((body) => body.data.__typename) },
  {
    name: "mutations over GET",
    send: get(`mutation ${OPERATION_NAME} { __typename }`),
    isFinding: inBody((body) => body.data.__typename),
  },
  {
    name: "a form-encoded request",
    send: ({ url, headers }) =>
      fetch(url, { method: "POST", headers: { ...headers }, body: new URLSearchParams({ query: TYPENAME }) }),
    isFinding: inBody((body) => body.data.__typename),
  },
  {
    name: "a hundred aliases",
    send: post(
      `query ${OPERATION_NAME} { ${Array.from({ length: ALIASES }, (_, index) => `alias${index}: __typename`).join(" ")} }`,
    ),
    isFinding: inBody((body) => body.data[`alias${ALIASES - 1}`]),
  },
  {
    name: "a batch",
    send: ({ url, headers }) =>
      fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(Array.from({ length: BATCH }, () => ({ query: TYPENAME }))),
      }),
    isFinding: inBody((body) => body.length >= BATCH),
  },
  {
    name: "an error for each directive",
    send: post(`query ${OPERATION_NAME} { __typename ${"@unknown".repeat(DIRECTIVES)} }`),
    isFinding: inBody((body) => body.errors.length >= DIRECTIVES),
  },
  { name: "traces in answers", send: post(TYPENAME), isFinding: hasExtension("tracing") },
  {
    name: "exceptions in answers",
    send: post(`unknown ${OPERATION_NAME} { field }`),
    isFinding: hasExtension("exception"),
  },
];
