import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const DOORS = [
  "sdk/src/index.ts",
  "admin-sdk/src/index.ts",
  "contract/src/index.ts",
  "mocks/src/index.ts",
  "mocks/src/msw.ts",
  "mocks/src/node.ts",
  "mocks/src/drift.ts",
].map((path) => ({ path, entry: fileURLToPath(new URL(`../packages/${path}`, import.meta.url)) }));

/** The names of a package's door that have no docstring, members included. */
function undocumented(entry: string): string[] {
  const program = ts.createProgram([entry], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    customConditions: ["@social-connect/source"],
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const door = source && checker.getSymbolAtLocation(source);
  if (door === undefined) throw new Error("The package has no door.");
  const isDocumented = (symbol: ts.Symbol) => symbol.getDocumentationComment(checker).length > 0;
  return checker.getExportsOfModule(door).flatMap((exported) => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const members = [...(symbol.members?.values() ?? []), ...(symbol.exports?.values() ?? [])].filter(isPublicMember);
    return [symbol, ...members].filter((each) => !isDocumented(each)).map((each) => `${exported.name}: ${each.name}`);
  });
}

/** Not what the language adds, not what is private; what overrides a documented member takes its words from there. */
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

it.each(DOORS)(
  "everything public of $path has a docstring",
  ({ entry }) => {
    expect(undocumented(entry)).toEqual([]);
  },
  120_000,
);
