import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { DEPLOY } from "../proxies/proxies.ts";
import { ALERT_STEPS } from "./alerts.ts";
import { readPages } from "./pages.ts";

interface Rules {
  readonly groups: readonly { readonly rules: readonly { alert: string; labels: { runbook: string } }[] }[];
}

const { groups } = parse(await readFile(join(DEPLOY, "prometheus", "alerts.yml"), "utf8")) as Rules;
const rules = groups.flatMap((group) => group.rules);

test("the condition of each alert is made once", () => {
  const made = ALERT_STEPS.flatMap(({ alerts }) => alerts);
  expect(made.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
});

test.each(ALERT_STEPS)(
  "$runbook has the command that names the cause: $condition",
  async ({ alerts, runbook, command }) => {
    const pages = await readPages();
    expect(await pages.runbookCommand(runbook, command)).toContain(command);
    const runbooks = rules.filter(({ alert }) => alerts.includes(alert)).map(({ labels }) => labels.runbook);
    expect(runbooks).toContain(runbook);
  },
);
