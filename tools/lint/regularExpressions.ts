/**
 * Refuses regular expressions of the product that take quadratic or exponential time, and those that are only known when the
 * program runs, which cannot be checked.
 */
import { globSync, readFileSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { type CallExpression, type NewExpression, type Node, type Program, parseSync, Visitor } from "oxc-parser";
import { analyse } from "scslre";

/** What reads text from outside. */
const FOLDERS =
  "{apps/{server,simulator},packages/{domain,contract,sdk-core,sdk,transport,provider-fixtures,admin-sdk,mocks}}";

/** The problems of the expressions of a workspace, without its tests and generated code, and how many there are. */
export function lintExpressions(root: string): { readonly problems: string[]; readonly count: number } {
  const exclude = ["**/*.test.ts", "**/testing/**", "**/_generated/**"];
  const sources = globSync(`${FOLDERS}/src/**/*.ts`, { cwd: root, exclude })
    .sort()
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, "utf8") }))
    .map(({ path, text }) => ({ path, text, program: parseSync(path, text).program }));
  const shared = sources.flatMap(({ program }) => constantsOf(program));
  const problems: string[] = [];
  let count = 0;
  for (const { path, text, program } of sources) {
    const constants = new Map([...shared, ...constantsOf(program)]);
    const check = ({ start, end }: Node, expression: RegExp | null): void => {
      count += 1;
      const shown = `${path}:${text.slice(0, start).split("\n").length}: ${text.slice(start, end)}`;
      const reports = expression === null ? [] : analyse(expression).reports;
      if (expression === null) problems.push(`${shown} is only known when the program runs`);
      if (reports.length > 0) problems.push(`${shown} is slow (${reports.map(({ type }) => type).join(", ")})`);
    };
    const checkCall = (node: CallExpression | NewExpression): void => {
      if (node.callee.type !== "Identifier" || node.callee.name !== "RegExp") return;
      const [pattern, flags] = node.arguments.map((argument) => textOf(argument, constants));
      check(node, pattern == null || flags === null ? null : new RegExp(pattern, flags));
    };
    new Visitor({
      Literal: (node) => ("regex" in node ? check(node, new RegExp(node.regex.pattern, node.regex.flags)) : undefined),
      CallExpression: checkCall,
      NewExpression: checkCall,
    }).visit(program);
  }
  return { problems, count };
}

type Constant = readonly [name: string, value: Node];

/** Constants by their names. Names are unique enough: a wrong value would be another file's pattern, not none. */
function constantsOf({ body }: Program): Constant[] {
  return body
    .flatMap((one) => (one.type === "ExportNamedDeclaration" ? (one.declaration ?? []) : [one]))
    .flatMap((one) => (one.type === "VariableDeclaration" ? one.declarations : []))
    .flatMap(({ id, init }): Constant[] => (id.type === "Identifier" && init ? [[id.name, init]] : []));
}

/** The text that an expression always has, or the pattern of a literal; null where it depends on what happens. */
function textOf(node: Node, constants: ReadonlyMap<string, Node>): string | null {
  switch (node.type) {
    case "Literal":
      return "regex" in node ? node.regex.pattern : typeof node.value === "string" ? node.value : null;
    case "TSAsExpression":
    case "ParenthesizedExpression":
      return textOf(node.expression, constants);
    case "Identifier": {
      const value = constants.get(node.name);
      return value === undefined ? null : textOf(value, constants);
    }
    case "MemberExpression":
      return isMember(node, "source") ? textOf(node.object, constants) : null;
    case "TaggedTemplateExpression":
      return isMember(node.tag, "raw") && node.quasi.quasis.length === 1
        ? (node.quasi.quasis[0]?.value.raw ?? null)
        : null;
    case "TemplateLiteral": {
      const values = node.expressions.map((expression) => textOf(expression, constants));
      if (values.includes(null)) return null;
      return node.quasis.map(({ value }, index) => value.cooked + (values[index] ?? "")).join("");
    }
    default:
      return null;
  }
}

function isMember(node: Node, name: string): boolean {
  return node.type === "MemberExpression" && node.property.type === "Identifier" && node.property.name === name;
}

if (import.meta.main) {
  const { problems, count } = lintExpressions(argv[2] ?? fileURLToPath(new URL("../..", import.meta.url)));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`Checked ${count} regular expressions. No problems found.`);
}
