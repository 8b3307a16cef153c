import pg from "pg";

type Callback = (error: Error | null, result?: unknown) => void;
type Statement = string | (pg.QueryConfig & Readonly<Record<string, unknown>>);

/**
 * Replaces how a client sends statements: with a callback, also for a caller that expects a promise, and with a timer that closes
 * the connection if the server does not respond for `unansweredMs`.
 *
 * pg does both with functions that it assigns to a property (`query.callback = () => …`). V8 allocates such a function in
 * the old generation, because it expects a method. There it keeps the statement and its rows until the next complete collection,
 * 20 KB for a page of 50 posts.
 */
export function sendQueries(client: pg.Client, unansweredMs: number): void {
  const submit = client.query.bind(client) as (query: pg.Query, ...parameters: readonly unknown[]) => unknown;
  const send = (statement: Statement, values: unknown[] | undefined, callback: Callback): void => {
    const timer = setTimeout(() => close(client, unansweredMs), unansweredMs);
    const settle: Callback = (error, result) => {
      clearTimeout(timer);
      callback(error, result);
    };
    submit(queryOf(statement, values, settle));
  };
  const query = (statement: Statement | pg.Query, ...parameters: readonly unknown[]): unknown => {
    if (typeof statement === "object" && "submit" in statement) return submit(statement as pg.Query, ...parameters);
    const values = Array.isArray(parameters[0]) ? parameters[0] : undefined;
    const callback = parameters.at(-1);
    if (typeof callback === "function") return send(statement, values, callback as Callback);
    const sent = new Promise((resolve, reject) => {
      send(statement, values, (error, result) => (error ? reject(error) : resolve(result)));
    });
    return sent.catch(throwHere);
  };
  client.query = query as typeof client.query;
}

/** pg copies an object property by property, which takes 3 µs. */
function queryOf(statement: Statement, values: unknown[] | undefined, callback: Callback): pg.Query {
  const pass = callback as (error: Error | undefined, result: unknown) => void;
  if (typeof statement === "string") return new pg.Query(statement, values, pass);
  const { name, text, values: ownValues, ...others } = statement;
  for (const _ in others) return new pg.Query(statement, values, pass);
  return Object.assign(new pg.Query(text, values ?? ownValues, pass), { name });
}

/** Each statement in progress and each waiting one fails with this error, and the pool replaces the connection. */
function close({ connection }: pg.Client, unansweredMs: number): void {
  connection.stream.destroy(new Error(`The database did not respond within ${unansweredMs} ms.`));
}

/** With the caller's stack: that of the error shows only how the driver received it. */
function throwHere(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}
