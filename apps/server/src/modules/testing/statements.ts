import pg from "pg";

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** All statements that this process sends to a database during `run`, in order. */
export async function statementsOf(run: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  // The method of a client is not shared: `sendQueries` replaces it in each.
  const { submit } = pg.Query.prototype;
  pg.Query.prototype.submit = function (this: pg.Query & Partial<Statement>, connection) {
    if (this.text !== undefined) statements.push({ text: this.text.trim(), values: this.values ?? [] });
    return submit.call(this, connection);
  };
  try {
    await run();
    return statements;
  } finally {
    pg.Query.prototype.submit = submit;
  }
}

export const isWrite = ({ text }: Statement): boolean => /^(?:INSERT|UPDATE|DELETE|WITH)\b/i.test(text);
export const isPlannable = ({ text }: Statement): boolean => /^(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text);
