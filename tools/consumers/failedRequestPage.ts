/**
 * Writes the tables of the reference page about failed requests:
 *
 *     node tools/run.mjs tools/consumers/failedRequestPage.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { FAULTS, type TransportProblem } from "../../packages/sdk-core/src/faults.ts";
import { consequenceOf, expectedOutcome, RUNTIMES, SITUATIONS } from "./failureTable.ts";

export const FAILED_REQUESTS_PAGE = new URL("../../docs/reference/failed-requests.md", import.meta.url);

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const code = (text: string) => `\`${text}\``;
const head = (cells: readonly string[]) => [row(cells), row(cells.map(() => "---"))];

function problems(): readonly string[] {
  const rows = Object.entries(FAULTS).map(([problem, { sentence }]) => {
    const { mayHaveBeenSent, reads, others } = consequenceOf(problem as TransportProblem);
    const shown = sentence.replace("{host}", "api.example.com").replace("{code}", " (CODE)");
    return row([code(problem), shown, code(String(mayHaveBeenSent)), reads, others]);
  });
  return [
    ...head(["`problem`", "Message", "`mayHaveBeenSent`", "Reads", "Operations that must not run twice"]),
    ...rows,
  ];
}

/** The versions of Node have one column, and both protocols one table: throws where they differ. */
function outcomes(): readonly string[] {
  const rows = SITUATIONS.map((situation) => {
    const cells = new Map<string, string>();
    for (const runtime of RUNTIMES) {
      const column = runtime.split(" ")[0] ?? "";
      for (const protocol of ["http1", "http2"] as const) {
        const outcome = expectedOutcome(situation, runtime, protocol);
        if (outcome === undefined) continue;
        const shown = isCode(outcome) ? code(outcome) : outcome;
        if ((cells.get(column) ?? shown) !== shown) throw new Error(`${situation.name}: ${column} needs two columns`);
        cells.set(column, shown);
      }
    }
    const hasHttp2 = expectedOutcome(situation, "Node 24", "http2") !== undefined;
    return row([situation.name, hasHttp2 ? "same" : "–", ...cells.values()]);
  });
  const columns = [...new Set(RUNTIMES.map((runtime) => runtime.split(" ")[0] ?? ""))];
  return [...head(["Failure", "HTTP/2", ...columns]), ...rows];
}

function isCode(outcome: string): boolean {
  return /^[A-Z0-9_]+$/.test(outcome);
}

const TABLES: Readonly<Record<string, () => readonly string[]>> = {
  problems,
  outcomes,
};

export function withFailureTables(page: string): string {
  return Object.entries(TABLES).reduce((text, [name, table]) => {
    const [open, close] = [`<!-- table: ${name} -->`, `<!-- /table: ${name} -->`];
    const [before = "", rest = ""] = text.split(open);
    const [, after = ""] = rest.split(close);
    return `${before}${open}\n${table().join("\n")}\n${close}${after}`;
  }, page);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(FAILED_REQUESTS_PAGE, withFailureTables(readFileSync(FAILED_REQUESTS_PAGE, "utf8")));
}
