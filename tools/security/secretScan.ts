/** Keys in tracked files, by the rules of `.gitleaks.toml`. */

export interface SecretRule {
  readonly id: string;
  readonly expression: RegExp;
}

export interface FoundSecret {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
}

/** The part of the format that the file uses: rules with an id and an expression between three quotes. */
export function readRules(toml: string): SecretRule[] {
  return toml
    .split("[[rules]]")
    .slice(1)
    .map((part) => {
      const [, id] = /^id = "([^"]+)"$/m.exec(part) ?? [];
      const [, expression] = /^regex = '''(.+)'''$/m.exec(part) ?? [];
      if (id === undefined || expression === undefined) throw new Error("A rule needs an id and a regex.");
      return { id, expression: new RegExp(expression, "g") };
    });
}

/** Paths that may contain keys; a comment above each states the reason. */
export function readAllowedPaths(toml: string): string[] {
  const [, list = ""] = /^paths = \[\n([\s\S]*?)^\]/m.exec(toml) ?? [];
  const lines = list.split("\n").map((line) => line.trim());
  return lines.flatMap((line, index) => {
    const [, path] = /^'''(.+)''',?$/.exec(line) ?? [];
    if (path === undefined) return [];
    if (!/^# .{15,}/.test(lines[index - 1] ?? "")) throw new Error(`${path} needs a comment with its reason above it.`);
    return [path];
  });
}

export function findSecrets(path: string, text: string, rules: readonly SecretRule[]): FoundSecret[] {
  return rules.flatMap(({ id, expression }) =>
    [...text.matchAll(expression)]
      .filter(([secret]) => !isMadeUp(secret))
      .map(({ index }) => ({ rule: id, path, line: text.slice(0, index).split("\n").length })),
  );
}

/** A hand-written test key: its secret repeats a few digits. 64 random ones have about 16 different digits. */
function isMadeUp(key: string): boolean {
  return new Set(key.slice(-64).toLowerCase()).size <= 8;
}
