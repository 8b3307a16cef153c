/**
 * Refuses regular expressions of the product that take quadratic or exponential time, and those that are only known when the
 * program runs, which cannot be checked.
 */
import { globSync, readFileSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { analyse } from "scslre";
import ts from "typescript";

/** What reads text from outside. */
const FOLDERS =
  "{apps/{server,simulator},packages/{domain,contract,sdk-core,sdk,transport,provider-fixtures,admin-sdk,mocks}}";

interface FoundExpression {
  /** File and line, from the root of the workspace. */
  readonly place: string;
  /** Null for a pattern that is only known when the program runs. */
  readonly expression: RegExp | null;
  /** The source text. */
  readonly text: string;
}

/** The problems of the expressions of a workspace, without its tests and generated code, and how many there are. */
export function lintExpressions(root: string): { readonly problems: string[]; readonly count: number } {
  const found = findRegularExpressions(root);
  const problems = found.flatMap(({ place, text, expression }) => {
    if (expression === null) return [`${place}: ${text} is only known when the program runs`];
    const { reports } = analyse({ source: expression.source, flags: expression.flags });
    return reports.length === 0 ? [] : [`${place}: ${text} is slow (${reports.map(({ type }) => type).join(", ")})`];
  });
  return { problems, count: found.length };
}

function findRegularExpressions(root: string): FoundExpression[] {
  const exclude = ["**/*.test.ts", "**/testing/**", "**/_generated/**"];
  const sources = globSync(`${FOLDERS}/src/**/*.ts`, { cwd: root, exclude })
    .sort()
    .map((path) => ts.createSourceFile(path, readFileSync(`${root}/${path}`, "utf8"), ts.ScriptTarget.Latest, true));
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

if (import.meta.main) {
  const { problems, count } = lintExpressions(argv[2] ?? fileURLToPath(new URL("../..", import.meta.url)));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`Checked ${count} regular expressions. No problems found.`);
}
