import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** A statement as a process sends it. Values are text, numbers, truth values, null or lists of them. */
export interface RecordedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statements of one use case, in order, with those that begin and end its transactions. */
export interface RecordedCall {
  readonly name: string;
  readonly statements: readonly RecordedStatement[];
}

/** What a release knows of the database: enough to run its statements beside a later version. */
export interface RecordedRelease {
  /** The latest migration of the release. */
  readonly migration: string;
  /** Columns that its client reads, by table. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** Rows that the calls found, by table. */
  readonly rows: Readonly<Record<string, readonly object[]>>;
  readonly calls: readonly RecordedCall[];
}

export const RELEASE_FILE = fileURLToPath(new URL("./release.json", import.meta.url));

export async function readRelease(): Promise<RecordedRelease> {
  return JSON.parse(await readFile(RELEASE_FILE, "utf8"));
}
