import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const ENTRY_POINTS = [
  "sdk/src/index.ts",
  "sdk/src/events.ts",
  "sdk/src/opentelemetry.ts",
  "browser/src/index.ts",
  "browser/src/react.ts",
  "admin-sdk/src/index.ts",
  "contract/src/index.ts",
  "mocks/src/index.ts",
  "mocks/src/msw.ts",
  "mocks/src/node.ts",
  "mocks/src/drift.ts",
].map((path) => ({ path, entry: fileURLToPath(new URL(`../packages/${path}`, import.meta.url)) }));

/** One for all entry points, because they share most of their files. */
const program = ts.createProgram(
  ENTRY_POINTS.map(({ entry }) => entry),
  {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    customConditions: ["@social-connect/source"],
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
  },
);
const checker = program.getTypeChecker();

/** The exports of an entry point without a docstring, including members. */
function undocumented(entry: string): string[] {
  const source = program.getSourceFile(entry);
  const entryPoint = source && checker.getSymbolAtLocation(source);
  if (entryPoint === undefined) throw new Error("The package has no entry point.");
  const isDocumented = (symbol: ts.Symbol) => symbol.getDocumentationComment(checker).length > 0;
  return checker.getExportsOfModule(entryPoint).flatMap((exported) => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const members = [...(symbol.members?.values() ?? []), ...(symbol.exports?.values() ?? [])].filter(isPublicMember);
    return [symbol, ...members].filter((each) => !isDocumented(each)).map((each) => `${exported.name}: ${each.name}`);
  });
}

/** Without private members, members that the language adds, and overrides, which inherit their docstring. */
function isPublicMember(symbol: ts.Symbol): boolean {
  const [declaration] = symbol.declarations ?? [];
  if (
    declaration === undefined ||
    ts.isConstructorDeclaration(declaration) ||
    ts.isTypeParameterDeclaration(declaration)
  ) {
    return false;
  }
  const isOfClass = ts.isPropertyDeclaration(declaration) || ts.isMethodDeclaration(declaration);
  if (isOfClass && ts.isPrivateIdentifier(declaration.name)) return false;
  if (symbol.name.startsWith("__@") || symbol.name === "prototype") return false;
  return !(ts.canHaveModifiers(declaration) && ts.getModifiers(declaration)?.some(isOverride));
}

function isOverride({ kind }: ts.Modifier): boolean {
  return kind === ts.SyntaxKind.OverrideKeyword;
}

it.each(ENTRY_POINTS)("every export of $path has a docstring", ({ entry }) => {
  expect(undocumented(entry)).toEqual([]);
});
