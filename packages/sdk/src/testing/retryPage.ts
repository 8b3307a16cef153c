/**
 * The retry table of the documentation, generated from the data that the client is tested with.
 *
 *     pnpm --filter @social-connect/sdk retry-page      writes it into docs/reference/retries.md
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { REPEATING } from "../_generated/operations.ts";
import { type Again, FAILURES, type Failure } from "./retryTable.ts";

export const RETRY_PAGE = new URL("../../../../docs/reference/retries.md", import.meta.url);

const TABLE = /(<!-- retry table -->\n).*?(<!-- \/retry table -->)/s;
const RETRY_TEXTS: { readonly [Each in Again]: string } = {
  pause: "retried",
  named: "retried after the requested delay",
  never: "–",
};
const COLUMNS = ["read", "same", "another"] as const;

export function retryTableText(failures: readonly Failure[] = FAILURES): string {
  const operations = COLUMNS.map((kind) =>
    Object.entries(REPEATING)
      .filter(([, repeating]) => repeating === kind)
      .map(([name]) => `\`${name}\``)
      .join(", "),
  );
  return [
    "| Failure | Reads | Idempotent operations | Other operations |",
    "| --- | --- | --- | --- |",
    `| | ${operations.join(" | ")} |`,
    ...failures.map(
      ({ name, follows }) => `| ${name} | ${COLUMNS.map((kind) => RETRY_TEXTS[follows[kind]]).join(" | ")} |`,
    ),
    "",
  ].join("\n");
}

export function withRetryTable(page: string): string {
  return page.replace(TABLE, (_, open: string, close: string) => `${open}${retryTableText()}${close}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(RETRY_PAGE, withRetryTable(readFileSync(RETRY_PAGE, "utf8")));
}
