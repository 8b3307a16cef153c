import { join } from "node:path";
import ts from "typescript";
import type { WorkspacePackage } from "../packages/publishedPackages.ts";
import { ROOT } from "../packages/publishedPackages.ts";
import type { Door } from "./doors.ts";
import { doorsOf } from "./doors.ts";
import type { ReportFile } from "./reportFile.ts";

/** Everything that a door exports under one heading, in the order a reader looks for it. */
const GROUPS = ["Functions", "Classes", "Interfaces", "Types", "Constants"] as const;
type Group = (typeof GROUPS)[number];

interface Entry {
  readonly name: string;
  readonly group: Group;
  readonly description: string;
  /** The declaration as a consumer's compiler sees it, with the descriptions of its members. */
  readonly code: string;
  /** Other names of the same door that it mentions. */
  readonly mentions: readonly string[];
}

export interface Reference extends ReportFile {
  /** What is exported and not described. */
  readonly undescribed: readonly string[];
}

/** The reference of a package, one page with a part for each door: made from the declarations that are published. */
export function referenceOf(source: WorkspacePackage): Reference {
  const doors = doorsOf(source).map((door) => ({ door, entries: readDoor(door) }));
  const title = source.name.split("/")[1] ?? source.name;
  const lines = [
    `# ${source.name}`,
    "",
    "<!-- Made by `pnpm reports` from the declarations of the build. Not to be edited. -->",
    "",
    `${(source.manifest.description ?? "").replace(/\.$/, "")}. How to use it is told in its [README](../../../${source.folder}/README.md); this page lists what it exports.`,
    "",
    ...doors.flatMap(({ door, entries }) => describeDoor(door, entries, doors.length > 1)),
  ];
  return {
    path: `docs/reference/packages/${title}.md`,
    text: `${lines.join("\n").trimEnd()}\n`,
    undescribed: doors.flatMap(({ door, entries }) =>
      entries.filter(({ description }) => description === "").map(({ name }) => `${door.specifier}: ${name}`),
    ),
  };
}

function describeDoor({ specifier }: Door, entries: readonly Entry[], isOneOfSeveral: boolean): readonly string[] {
  const level = isOneOfSeveral ? "##" : "#";
  const heading = isOneOfSeveral ? [`## ${specifier}`, ""] : [];
  const groups = GROUPS.flatMap((group) => {
    const members = entries.filter((entry) => entry.group === group);
    if (members.length === 0) return [];
    return [`${level}# ${group}`, "", ...members.flatMap((entry) => describeEntry(entry, `${level}##`))];
  });
  return [...heading, ...groups];
}

function describeEntry({ name, description, code, mentions }: Entry, level: string): readonly string[] {
  const links = mentions.map((mention) => `[${mention}](#${mention.toLowerCase()})`).join(", ");
  return [
    `${level} ${name}`,
    "",
    ...(description === "" ? [] : [description, ""]),
    "```ts",
    code,
    "```",
    "",
    ...(links === "" ? [] : [`See ${links}.`, ""]),
  ];
}

function readDoor({ types }: Door): readonly Entry[] {
  const program = ts.createProgram([types], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules", "@types")],
  });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(types);
  const door = file && checker.getSymbolAtLocation(file);
  if (door === undefined) throw new Error(`${types} exports nothing`);
  const symbols = checker.getExportsOfModule(door).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const names = symbols.map(({ name }) => name);
  return symbols.map((symbol) => readEntry(symbol, names, checker));
}

function readEntry(exported: ts.Symbol, names: readonly string[], checker: ts.TypeChecker): Entry {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const declarations = (symbol.declarations ?? []).map((declaration) => wholeOf(declaration));
  const code = declarations.map((declaration) => codeOf(declaration, exported.name, names, checker)).join("\n\n");
  const words = new Set(code.replaceAll(/\/\*\*.*?\*\//gs, "").match(/\b[A-Za-z]\w*\b/g));
  return {
    name: exported.name,
    group: groupOf(declarations[0]),
    description: descriptionOf(symbol, code, names, checker),
    code,
    mentions: names.filter((name) => name !== exported.name && words.has(name)),
  };
}

function descriptionOf(symbol: ts.Symbol, code: string, names: readonly string[], checker: ts.TypeChecker): string {
  const written = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
  // What it is a member of is described at its own place.
  const [, list = ""] = /^type \w+ = \(typeof (\w+)\)\[number\];$/.exec(code) ?? [];
  return written === "" && names.includes(list) ? `A value of [${list}](#${list.toLowerCase()}).` : written;
}

/** A constant's declaration is one of a list in a statement; the statement is what a reader knows. */
function wholeOf(declaration: ts.Declaration): ts.Node {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
}

function groupOf(node: ts.Node | undefined): Group {
  if (node === undefined || ts.isVariableStatement(node)) return "Constants";
  if (ts.isFunctionDeclaration(node)) return "Functions";
  if (ts.isClassDeclaration(node)) return "Classes";
  return ts.isInterfaceDeclaration(node) ? "Interfaces" : "Types";
}

function codeOf(node: ts.Node, name: string, names: readonly string[], checker: ts.TypeChecker): string {
  if (ts.isTypeAliasDeclaration(node)) {
    const isReadable = typeNamesIn(node.type).every((used) => names.includes(used) || !isLocal(used, node));
    if (!isReadable) {
      const expanded = checker.typeToString(
        checker.getTypeAtLocation(node),
        node,
        ts.TypeFormatFlags.InTypeAlias | ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.MultilineObjectLiterals,
      );
      if (expanded !== name) return `type ${name}${parametersOf(node)} = ${expanded};`;
    }
  }
  const lines = node
    .getText()
    .split("\n")
    .filter((line) => !/^\s*(?:#private;|private |protected )/.test(line) && !isMadeInside(line, node, names));
  return lines
    .join("\n")
    .replace(/^(?:export )?declare /, "")
    .replaceAll(/^(?: {4})+/gm, (indent) => indent.replaceAll("    ", "  "));
}

/** Whether a line declares a constructor that only the package itself can call: it takes what nobody else can name. */
function isMadeInside(line: string, node: ts.Node, names: readonly string[]): boolean {
  if (!/^\s*constructor\(.*\);$/.test(line)) return false;
  const used = line.match(/\b[A-Z][\w$]*/g) ?? [];
  return used.some((name) => !names.includes(name) && isLocal(name, node));
}

function parametersOf(node: ts.TypeAliasDeclaration): string {
  return node.typeParameters ? `<${node.typeParameters.map((parameter) => parameter.getText()).join(", ")}>` : "";
}

function typeNamesIn(node: ts.Node): readonly string[] {
  const own = ts.isTypeReferenceNode(node) ? [node.typeName.getText()] : [];
  const inside: string[] = [];
  node.forEachChild((child) => void inside.push(...typeNamesIn(child)));
  return [...own, ...inside];
}

/** Whether a name is declared in the same file, and so would be found there by nobody but the compiler. */
function isLocal(name: string, node: ts.Node): boolean {
  return new RegExp(`^(?:export )?(?:declare )?(?:type|interface|class) ${name.replaceAll("$", "\\$")}\\b`, "m").test(
    node.getSourceFile().text,
  );
}
