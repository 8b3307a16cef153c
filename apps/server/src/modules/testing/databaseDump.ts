import { readTables } from "@social-connect/testkit";
import type { Pool } from "pg";

/** Every row of every table as text, prefixed with the table's name. */
export async function dumpDatabase(pool: Pool): Promise<string[]> {
  return (await readTables(pool)).flatMap(({ table, rows }) => rows.map((row) => `${table} ${row}`));
}

/** The forms in which a value can appear in a dump: plain, as hexadecimal bytes, and as base64. */
export function encodingsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const packed = /^(?:[0-9a-f]{2})+$/.test(text) ? Buffer.from(text, "hex") : bytes;
  return [text, ...[bytes, packed].flatMap((one) => [one.toString("hex"), one.toString("base64").replace(/=+$/, "")])];
}
