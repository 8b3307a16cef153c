import { AppError } from "@social-connect/domain";
import type { Service } from "../service.ts";

/** "done", or the code of the error that a call ended with, followed by its reason when it has one. */
export function outcomeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "done",
    ({ code, reason }: AppError) => (reason === undefined ? code : `${code} ${reason}`),
  );
}

/**
 * Retries a change while its row is busy, as the contract requires of callers (part 7), or its wait for a lock was too
 * long. The number of retries depends on the machine; the final result does not.
 */
export async function untilNotBusy<T>(change: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof AppError && (error.reason === "ROW_BUSY" || error.code === "RATE_LIMITED"))) throw error;
    }
  }
}

interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

export async function allPages<Item>(read: (after: string | null) => Promise<ListPage<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const page: ListPage<Item> = await read(after);
    items.push(...page.items);
    ({ endCursor: after, hasNextPage: more } = page.pageInfo);
  }
  return items;
}

/** Runs a call while another transaction holds the locks that a statement takes. */
export async function whileLocked<T>(
  { pool }: Pick<Service, "pool">,
  statement: string,
  values: readonly unknown[],
  call: () => Promise<T>,
): Promise<T> {
  const holder = await pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query(statement, [...values]);
    return await call();
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
}
