import { currentTrail } from "../call/trail.ts";
import { errorKind, type Tracing } from "../log/telemetry.ts";
import { type Send, sendAndObserve } from "./sentStatement.ts";

type Arguments = readonly unknown[];

/**
 * Sends a statement of a client, as a span of the current trace if there is one. Its name is the statement's, never its text or
 * values.
 */
export function tracedQuery(tracing: Tracing | null, send: Send, statement: unknown, rest: Arguments): unknown {
  const { span: parent } = currentTrail();
  const span =
    parent === null || tracing === null ? null : tracing.start(statementName(statement), "client", parent, DATABASE);
  if (span === null) return send(statement, ...rest);
  return sendAndObserve(send, [statement, ...rest], (error) => span.end(error === null ? null : errorKind(error)));
}

const DATABASE = { "db.system.name": "postgresql" } as const;

/** The name of a prepared statement; of others, among them those of Prisma, the command and its table. */
export function statementName(statement: unknown): string {
  if (typeof statement === "object" && statement !== null) {
    const { name, text } = statement as { name?: unknown; text?: unknown };
    if (typeof name === "string") return name;
    return typeof text === "string" ? summary(text) : "statement";
  }
  return typeof statement === "string" ? summary(statement) : "statement";
}

/** The head of a statement has its command and table. Values are parameters, except of a few settings after SET. */
const HEAD = 400;
const COMMAND = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|LISTEN)\b/i;
const TABLE = /\b(?:FROM|INTO|UPDATE)\s+(?:"?(?:public|pgboss)"?\.)?"?([a-z_]{1,40})"?/i;

function summary(text: string): string {
  const head = text.slice(0, HEAD);
  const command = COMMAND.exec(head)?.[1]?.toUpperCase() ?? "statement";
  const table = TABLE.exec(head)?.[1];
  return table === undefined ? command : `${command} ${table}`;
}
