import { text } from "node:stream/consumers";
import { type LocalServer, serve } from "@social-connect/testkit";

const TYPES = Array.from({ length: 40 }, (_, index) => ({ name: `Type${index}` }));

/** The response of an endpoint with every weakness. */
function answerTo(query: string): object {
  const aliases = [...query.matchAll(/(\w+): __typename/g)].map(([, alias = ""]) => [alias, "Query"]);
  const directives = query.match(/@unknown/g) ?? [];
  if (query.startsWith("unknown")) return { errors: [{ message: "?", extensions: { exception: { stacktrace: [] } } }] };
  if (query.includes("directive }")) return { errors: [{ message: 'Did you mean "directives"?' }] };
  if (directives.length > 0) return { errors: directives.map(() => ({ message: "Unknown directive." })) };
  if (query.includes("__schema")) return { data: { __schema: { types: TYPES } } };
  return { data: { __typename: "Query", ...Object.fromEntries(aliases) }, extensions: { tracing: {} } };
}

/** An endpoint with every weakness that the audits check: the control that an audit can fail. */
export function startPermissiveServer(): Promise<LocalServer> {
  return serve(async (request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://localhost");
    const query = searchParams.get("query");
    const body = await text(request);
    if (request.headers.accept === "text/html") return void response.end("<title>GraphiQL</title>");
    if (query !== null) return void response.end(JSON.stringify(answerTo(query)));
    const isForm = request.headers["content-type"]?.includes("urlencoded") ?? false;
    const sent = isForm ? { query: new URLSearchParams(body).get("query") } : JSON.parse(body);
    const answer = Array.isArray(sent) ? sent.map(({ query }) => answerTo(query)) : answerTo(sent.query ?? "");
    response.end(JSON.stringify(answer));
  });
}
