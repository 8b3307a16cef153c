/** The pages and files that name the service's settings and commands. */
import { expect, test } from "vitest";
import { listMarkdown, readText, tableRows } from "../../../tools/snippets.ts";
import { createProgram } from "../src/cli/program.ts";
import { SERVICE_VARIABLES, SETTING_DEFAULTS } from "../src/config/variables.ts";

/** A list, or an object of lists, without an entry. */
function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).flat().length === 0;
}

test("the table of settings has each variable with its default", () => {
  const [settings = ""] = readText("docs/reference/settings.md").split("\n## Variables of Node\n");
  const documented = tableRows(settings).map(([name, value]) => [name, value]);
  const shown = (value: unknown) => (value === undefined || isEmpty(value) ? "–" : `\`${value}\``);
  expect(documented).toEqual(Object.entries(SETTING_DEFAULTS).map(([name, value]) => [`\`${name}\``, shown(value)]));
});

test(".env.example has every setting of the service with its default", () => {
  const written = [...readText(".env.example").matchAll(/^# ([A-Z][A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [
    name,
    value,
  ]);
  const shown = (value: unknown) => (typeof value === "object" || value === undefined ? "" : String(value));
  const defaults = Object.keys(SERVICE_VARIABLES).map((name) => [name, shown(SETTING_DEFAULTS[name])]);
  expect(written.toSorted()).toEqual(defaults.toSorted());
});

test("pages name every command of the program and no other", () => {
  const commands = ["help", ...createProgram().commands.map((command) => command.name())];
  const pages = listMarkdown().filter((path) => path.startsWith("docs/"));
  const named = [
    ...pages
      .map(readText)
      .join("\n")
      .matchAll(/(?<!create-)\bsocial-connect ([a-z-]+)/g),
  ].map(([, name]) => name);
  expect([...new Set(named)].toSorted()).toEqual(commands.toSorted());
});
