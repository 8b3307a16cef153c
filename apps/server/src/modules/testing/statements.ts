import pg from "pg";
import { vi } from "vitest";

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** All statements that this process sends to a database during `run`, in order. */
export async function statementsOf(run: () => Promise<unknown>): Promise<Statement[]> {
  // The method of a client is not shared: `sendQueries` replaces it in each.
  const spy = vi.spyOn(pg.Query.prototype, "submit");
  try {
    await run();
    return (spy.mock.contexts as unknown as readonly Partial<Statement>[]).flatMap(({ text, values }) =>
      text === undefined ? [] : [{ text: text.trim(), values: values ?? [] }],
    );
  } finally {
    spy.mockRestore();
  }
}

export const isWrite = ({ text }: Statement): boolean => /^(?:INSERT|UPDATE|DELETE|WITH)\b/i.test(text);
export const isPlannable = ({ text }: Statement): boolean => /^(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text);
