import type { ReplayReport } from "./replay.ts";

/** Formats a report, with one line for each difference. */
export function replayText({ hasDrift, replayed, skipped, differences }: ReplayReport): string {
  const notCompared = skipped === 0 ? "" : ` Not compared (rate limits, outages, unreadable requests): ${skipped}.`;
  if (!hasDrift) return `No differences: the mocks respond to ${replayed} requests as recorded.${notCompared}`;
  const width = Math.max(...differences.map(({ operation }) => (operation ?? "").length));
  return [
    ...differences.map(
      ({ number, operation, path, text }) =>
        `${String(number).padStart(4)}  ${(operation ?? "").padEnd(width)}  ${path === null ? "" : `${path}: `}${text}`,
    ),
    "",
    `Differences: ${differences.length} in ${replayed} requests.${notCompared}`,
  ].join("\n");
}
