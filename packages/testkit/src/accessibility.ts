import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { AxeResults, RunOptions } from "axe-core";
import type { EnginePage } from "./enginePage.ts";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** What axe finds in the page. `rules`: only these; otherwise those of WCAG 2.2 AA and axe's best practices. */
export async function violationsOf(
  page: Evaluating,
  { rules, bestPractice = true }: { readonly rules?: string[]; readonly bestPractice?: boolean } = {},
): Promise<string[]> {
  // Once for each document: it takes longer than a run.
  if (!(await page.evaluate("'axe' in window"))) {
    const source = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
    await page.evaluate(`(() => { ${source} })()`);
  }
  const tags = bestPractice ? [...TAGS, "best-practice"] : TAGS;
  const options: RunOptions = {
    runOnly: rules ? { type: "rule", values: rules } : { type: "tag", values: tags },
    resultTypes: ["violations"],
    // Only a rule about audio needs the style sheets and media parsed again.
    preload: false,
  };
  const run = `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const violations = (await page.evaluate(run)) as AxeResults["violations"];
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = "" }) => `${id}: ${html.slice(0, 160)} ${failureSummary.replace(/\s+/g, " ")}`),
  );
}

type Evaluating = Pick<EnginePage, "evaluate">;

/** By how many pixels the page is wider than its window. */
export async function overflowOf(page: Evaluating): Promise<number> {
  return Number(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"));
}
