import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

declare const axe: { run(options: RunOptions): Promise<AxeResults> };

/** What axe finds in the page. `rules`: only these; otherwise those of WCAG 2.2 AA and axe's best practices. */
export async function violationsOf(page: Page, { rules, bestPractice = true }: AxeOptions = {}): Promise<string[]> {
  // Once for each document: it takes longer than a run.
  if (!(await page.evaluate<boolean>("'axe' in window"))) {
    await page.evaluate(await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8"));
  }
  const tags = bestPractice ? [...TAGS, "best-practice"] : TAGS;
  return page.evaluate(
    async (runOnly) => {
      const { violations } = await axe.run({ runOnly, resultTypes: ["violations"] });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ html, failureSummary = "" }) => `${id}: ${html.slice(0, 160)} ${failureSummary.replace(/\s+/g, " ")}`,
        ),
      );
    },
    rules ? { type: "rule" as const, values: rules } : { type: "tag" as const, values: tags },
  );
}

interface AxeOptions {
  readonly rules?: string[];
  readonly bestPractice?: boolean;
}

/** By how many pixels the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}
