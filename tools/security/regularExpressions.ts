/** Finds the regular expressions in source files: literals, and `RegExp` of text that is constant. */

import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface FoundExpression {
  /** File and line, from the root of the workspace. */
  readonly place: string;
  /** Null for a pattern that is only known when the program runs. */
  readonly expression: RegExp | null;
  /** The source text. */
  readonly text: string;
}

/** The expressions in the folders' sources, without tests, test helpers and generated code. */
export function findRegularExpressions(folders: readonly string[]): FoundExpression[] {
  const sources = globSync(
    folders.map((folder) => `${folder}/src/**/*.ts`),
    {
      cwd: ROOT,
      exclude: ["**/*.test.ts", "**/testing/**", "**/_generated/**"],
    },
  )
    .sort()
    .map((path) => ts.createSourceFile(path, readFileSync(`${ROOT}/${path}`, "utf8"), ts.ScriptTarget.Latest, true));
  const constants = new Map(sources.flatMap((source) => [...constantsOf(source)]));
  return sources.flatMap((source) => expressionsOf(source, new Map([...constants, ...constantsOf(source)])));
}

type Constants = ReadonlyMap<string, ts.Expression>;

/** Constants by their names. Names are unique enough: a wrong value would be another file's pattern, not none. */
function constantsOf(source: ts.SourceFile): Map<string, ts.Expression> {
  const constants = new Map<string, ts.Expression>();
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && initializer !== undefined) constants.set(name.text, initializer);
    }
  }
  return constants;
}

function expressionsOf(source: ts.SourceFile, constants: Constants): FoundExpression[] {
  const found: FoundExpression[] = [];
  const add = (node: ts.Node, expression: RegExp | null) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push({ place: `${source.fileName}:${line + 1}`, expression, text: node.getText() });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      add(node, new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
    } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === "RegExp") {
      const [pattern, flags] = (node.arguments ?? []).map((argument) => textOf(argument, constants));
      add(node, pattern == null || flags === null ? null : new RegExp(pattern, flags));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The text that an expression always has; null where it depends on what happens. */
function textOf(node: ts.Expression, constants: Constants): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)) return textOf(node.expression, constants);
  if (ts.isPropertyAccessExpression(node) && node.name.text === "source") return sourceOf(node.expression, constants);
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "String.raw") {
    return ts.isNoSubstitutionTemplateLiteral(node.template) ? (node.template.rawText ?? null) : null;
  }
  if (ts.isIdentifier(node)) {
    const value = constants.get(node.text);
    return value === undefined ? null : textOf(value, constants);
  }
  if (!ts.isTemplateExpression(node)) return null;
  const parts = node.templateSpans.map(({ expression, literal }) => [textOf(expression, constants), literal.text]);
  if (parts.some(([value]) => value === null)) return null;
  return node.head.text + parts.flat().join("");
}

function sourceOf(node: ts.Expression, constants: Constants): string | null {
  const value = ts.isIdentifier(node) ? constants.get(node.text) : node;
  if (value === undefined || !ts.isRegularExpressionLiteral(value)) return null;
  return value.text.slice(1, value.text.lastIndexOf("/"));
}
