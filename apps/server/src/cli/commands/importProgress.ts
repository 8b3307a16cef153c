import { describeImport, noImportCounts } from "@social-connect/domain";
import type { ReportedLine } from "../../modules/imports/runImport.ts";

const BAR_CHARACTERS = 24;
const LINES_BETWEEN = 1_000;
const MS_BETWEEN = 200;

/** Shows how far an import is: as a bar on a terminal, otherwise as a line for each 1,000 lines. `bytes` is null for a pipe. */
export function showProgress(output: Pick<NodeJS.WriteStream, "isTTY" | "write">, bytes: number | null) {
  const counts = noImportCounts();
  let shownAtMs = 0;
  return {
    line: ({ line, status }: Pick<ReportedLine, "line" | "status">, endsAt: number): void => {
      counts[status] += 1;
      const nowMs = performance.now();
      const isDue = output.isTTY ? nowMs - shownAtMs >= MS_BETWEEN : line % LINES_BETWEEN === 0;
      if (!isDue) return;
      shownAtMs = nowMs;
      const text = `${line} lines: ${describeImport(counts)}`;
      output.write(output.isTTY ? `\r\u001B[K${bar(bytes === null ? null : endsAt / bytes)}${text}` : `${text}\n`);
    },
    end: (): void => {
      if (output.isTTY) output.write("\r\u001B[K");
    },
  };
}

function bar(part: number | null): string {
  if (part === null) return "";
  const full = Math.floor(Math.min(part, 1) * BAR_CHARACTERS);
  return `[${"#".repeat(full)}${"-".repeat(BAR_CHARACTERS - full)}] ${Math.floor(Math.min(part, 1) * 100)} % `;
}
