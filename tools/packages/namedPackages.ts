/** Commands that download a package by its name: each name must be ours or a known one. */

export interface NamedPackage {
  readonly line: number;
  readonly name: string;
}

/** Packages of others that the docs ask readers to install or run. */
const OTHERS: ReadonlySet<string> = new Set([
  "express",
  "hono",
  "jest",
  "msw",
  "next",
  "oidc-provider",
  "pnpm",
  "react",
  "tsx",
  "typescript",
  "vitest",
  "@opentelemetry/api",
]);

const INSTALLS = /\b(?:(?:npm|pnpm|yarn|bun) (?:install|i|add)|deno add)\b(?<rest>[^`#\n]*)/g;
const RUNS = /(?:\bnpx|\bbunx|\bnpm (?:exec|x)|\b(?:pnpm|yarn) dlx)(?![\w.-])(?<rest>[^`#\n]*)/g;
const CREATES = /\b(?:npm|pnpm|yarn|bun) (?:create|init) (?<rest>[^`#\n]*)/g;
const NAME = /^(?:npm:)?(?<name>(?:@[\w.-]+\/)?[a-z][\w.-]*)(?:@[\w.^~<>=*-]+)?$/;

/** Names of packages in the commands of a text that are neither in `own` nor known. */
export function unknownPackages(text: string, own: readonly string[]): readonly NamedPackage[] {
  const known = (name: string) => own.includes(name) || OTHERS.has(name);
  return text.split("\n").flatMap((line, index) => {
    const installed = [...line.matchAll(INSTALLS)].flatMap(({ groups }) => argumentsOf(groups?.["rest"] ?? ""));
    const run = [...line.matchAll(RUNS)].flatMap(({ groups }) => runPackage(groups?.["rest"] ?? ""));
    const created = [...line.matchAll(CREATES)].flatMap(({ groups }) => {
      const [name] = argumentsOf(groups?.["rest"] ?? "");
      // `npm create @scope/name` runs `@scope/create-name`, and `@scope` runs `@scope/create`.
      return name === undefined ? [] : [name.startsWith("@") && !name.includes("/") ? `${name}/create` : name];
    });
    return [...installed, ...run, ...created].filter((name) => !known(name)).map((name) => ({ line: index + 1, name }));
  });
}

/** The packages that are named before the end of a command. */
function argumentsOf(rest: string): readonly string[] {
  const words =
    rest
      .split(/(?:&&|[|;"')(])/)[0]
      ?.trim()
      .split(/\s+/) ?? [];
  const names: string[] = [];
  for (const word of words) {
    if (word.startsWith("-") || word === "") continue;
    const name = /^@[\w.-]+(?:@[\w.]+)?$/.test(word)
      ? word.replace(/(?<=.)@.*/, "")
      : NAME.exec(word)?.groups?.["name"];
    // A path, a tarball or the words of a sentence.
    if (name === undefined) break;
    names.push(name);
  }
  return names;
}

/** The package that a runner downloads: the one of its option, or else its first argument. */
function runPackage(rest: string): readonly string[] {
  const option = /(?:--package[= ]|-p )(\S+)/.exec(rest);
  if (option !== null) return argumentsOf(option[1] ?? "");
  return argumentsOf(rest).slice(0, 1);
}
