/** The tables of the reference page about failed requests. */
import { FAULTS, type TransportProblem } from "../../packages/sdk-core/src/faults.ts";
import { consequenceOf, expectedOutcome, RUNTIMES, SITUATIONS } from "./failureTable.ts";

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const code = (text: string) => `\`${text}\``;
const head = (cells: readonly string[]) => [row(cells), row(cells.map(() => "---"))];

function problems(): readonly string[] {
  const rows = Object.entries(FAULTS).map(([problem, { sentence, check }]) => {
    const { mayHaveBeenSent, reads, others } = consequenceOf(problem as TransportProblem);
    const shown = `${sentence} ${check}`.trim().replace("{host}", "api.example.com").replace("{code}", " (CODE)");
    return row([code(problem), shown, code(String(mayHaveBeenSent)), reads, others]);
  });
  return [
    ...head(["`problem`", "Message", "`mayHaveBeenSent`", "Reads", "Operations that must not run twice"]),
    ...rows,
  ];
}

/** The versions of Node do not differ, and neither do both protocols. */
function outcomes(): readonly string[] {
  const columns = RUNTIMES.filter((name) => !/^Node 2[26]/.test(name));
  const rows = SITUATIONS.map((situation) => {
    const cells = columns.map((runtime) => expectedOutcome(situation, runtime, "http1") ?? "");
    const hasHttp2 = expectedOutcome(situation, "Node 24", "http2") !== undefined;
    const shown = cells.map((outcome) => (/^[A-Z0-9_]+$/.test(outcome) ? code(outcome) : outcome));
    return row([situation.name, hasHttp2 ? "same" : "–", ...shown]);
  });
  return [...head(["Failure", "HTTP/2", ...columns.map((runtime) => runtime.replace(" 24", ""))]), ...rows];
}

const TABLES: Readonly<Record<string, () => readonly string[]>> = { problems, outcomes };

export function withFailureTables(page: string): string {
  return Object.entries(TABLES).reduce((text, [name, table]) => {
    const [open, close] = [`<!-- table: ${name} -->`, `<!-- /table: ${name} -->`];
    const [before = "", rest = ""] = text.split(open);
    const [, after = ""] = rest.split(close);
    return `${before}${open}\n${table().join("\n")}\n${close}${after}`;
  }, page);
}
