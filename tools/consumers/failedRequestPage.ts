/** The tables of the reference page about failed requests. */
import { FAULTS, type TransportProblem } from "../../packages/sdk-core/src/faults.ts";
import { code, table, withTables } from "../reports/tables.ts";
import { consequenceOf, expectedOutcome, RUNTIMES, SITUATIONS } from "./failureTable.ts";

function problems(): string {
  const rows = Object.entries(FAULTS).map(([problem, { sentence, check }]) => {
    const { mayHaveBeenSent, reads, others } = consequenceOf(problem as TransportProblem);
    const shown = `${sentence} ${check}`.trim().replace("{host}", "api.example.com").replace("{code}", " (CODE)");
    return [code(problem), shown, code(String(mayHaveBeenSent)), reads, others];
  });
  return table(["`problem`", "Message", "`mayHaveBeenSent`", "Reads", "Operations that must not run twice"], rows);
}

/** The versions of Node do not differ, and neither do both protocols. */
function outcomes(): string {
  const columns = RUNTIMES.filter((name) => !/^Node 2[26]/.test(name));
  const rows = SITUATIONS.map((situation) => {
    const cells = columns.map((runtime) => expectedOutcome(situation, runtime, "http1") ?? "");
    const hasHttp2 = expectedOutcome(situation, "Node 24", "http2") !== undefined;
    const shown = cells.map((outcome) => (/^[A-Z0-9_]+$/.test(outcome) ? code(outcome) : outcome));
    return [situation.name, hasHttp2 ? "same" : "–", ...shown];
  });
  return table(["Failure", "HTTP/2", ...columns.map((runtime) => runtime.replace(" 24", ""))], rows);
}

export function withFailureTables(page: string): string {
  return withTables(page, { problems: problems(), outcomes: outcomes() });
}
