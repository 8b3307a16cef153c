import { REPEATING } from "../_generated/operations.ts";
import { type Again, FAILURES } from "./retryTable.ts";

const TABLE = /(<!-- retry table -->\n).*?(<!-- \/retry table -->)/s;
const RETRY_TEXTS: { readonly [Each in Again]: string } = {
  pause: "retried",
  named: "retried after the requested delay",
  never: "–",
};
const COLUMNS = ["read", "same", "another"] as const;

/** A page with the retry table of the data that the client is tested with. */
export function withRetryTable(page: string): string {
  const operations = COLUMNS.map((kind) => {
    const names = Object.entries(REPEATING).filter(([, repeating]) => repeating === kind);
    return names.map(([name]) => `\`${name}\``).join(", ");
  });
  const table = [
    "| Failure | Reads | Idempotent operations | Other operations |",
    "| --- | --- | --- | --- |",
    `| | ${operations.join(" | ")} |`,
    ...FAILURES.map(
      ({ name, follows }) => `| ${name} | ${COLUMNS.map((kind) => RETRY_TEXTS[follows[kind]]).join(" | ")} |`,
    ),
  ];
  return page.replace(TABLE, (_, open: string, close: string) => `${open}${table.join("\n")}\n${close}`);
}
