import pg from "pg";
import { vi } from "vitest";

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** All statements that this process sends to a database during `run`, in order. */
export async function statementsOf(run: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const spy = vi.spyOn(pg.Client.prototype, "query");
  try {
    await run();
    for (const [query, values] of spy.mock.calls as unknown[][]) {
      const { text, values: bound } = (
        typeof query === "string" ? { text: query, values } : query
      ) as Partial<Statement>;
      if (text !== undefined) statements.push({ text: text.trim(), values: Array.isArray(bound) ? bound : [] });
    }
    return statements;
  } finally {
    spy.mockRestore();
  }
}

export const isWrite = ({ text }: Statement): boolean => /^(?:INSERT|UPDATE|DELETE|WITH)\b/i.test(text);
export const isPlannable = ({ text }: Statement): boolean => /^(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text);
