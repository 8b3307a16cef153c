import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../packages/commands.ts";
import { ROOT } from "../packages/publishedPackages.ts";
import { ownCommands, type Sample } from "./samples.ts";
import type { Problem } from "./typeCheck.ts";

const PROGRAMS: Readonly<Record<string, string>> = {
  "@social-connect/server": "social-connect",
  "@social-connect/mocks": "social-connect-mocks",
};
const PNPM_COMMAND = /^(?:exec|install|add|pack|run|audit|start|changeset|vitest|--filter|--dir)$/;

/** Looks up the commands of samples: scripts of the root package, and subcommands and options in the help of the installed programs. */
export async function checkCommands(folder: string, samples: readonly Sample[]): Promise<readonly Problem[]> {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const helps = new Map<string, Promise<string>>();
  const helpOf = (words: readonly string[]) => {
    const key = words.join(" ");
    const [program = "", ...more] = words;
    const help = helps.get(key) ?? run(join(folder, "node_modules", ".bin", program), [...more, "--help"], { folder });
    helps.set(key, help);
    return help;
  };
  const problems: Problem[] = [];
  for (const sample of samples.filter(({ language }) => language === "sh" || language === "command")) {
    for (const command of ownCommands(sample)) {
      const text = await problemOf(command.split(/\s+/), scripts, helpOf).catch((error: Error) => error.message);
      if (text !== null) problems.push({ sample, text: `${command}: ${text}` });
    }
  }
  return problems;
}

async function problemOf(
  [first = "", second = "", ...rest]: readonly string[],
  scripts: Readonly<Record<string, string>>,
  helpOf: (words: readonly string[]) => Promise<string>,
): Promise<string | null> {
  const isPnpm = first === "pnpm" || second.startsWith("pnpm@");
  if (isPnpm) {
    const script = first === "pnpm" ? second : (rest[0] ?? "");
    return PNPM_COMMAND.test(script) || Object.hasOwn(scripts, script) ? null : `there is no script ${script}`;
  }
  if (first === "npm")
    return optionsProblem(rest.slice(rest.indexOf("--") + 1), await helpOf(["create-social-connect"]));
  const program = first === "npx" ? PROGRAMS[second] : first;
  if (program === undefined) return `${second} has no known program`;
  const parameters = first === "npx" ? rest : [second, ...rest];
  const words = [program];
  let help = await helpOf(words);
  for (const word of parameters) {
    if (!new RegExp(`^  ${word.replaceAll(/\W/g, "\\$&")}(?:\\||\\s)`, "m").test(help.split(/^Commands:$/m)[1] ?? ""))
      break;
    words.push(word);
    help = await helpOf(words);
  }
  const next = parameters[words.length - 1] ?? "";
  if (/^Commands:$/m.test(help) && /^[a-z-]+$/.test(next) && next !== "help") return `there is no command ${next}`;
  return optionsProblem(parameters, help);
}

function optionsProblem(parameters: readonly string[], help: string): string | null {
  const options = parameters.flatMap((word) => /^(--[a-z][a-z-]*|-[a-z])(?:=|$)/.exec(word)?.[1] ?? []);
  const unknown = options.filter((option) => !new RegExp(`(?:^|[\\s,])${option}(?:[\\s,]|$)`, "m").test(help));
  return unknown.length === 0 ? null : `the help has no ${unknown.join(", ")}`;
}
