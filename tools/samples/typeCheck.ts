import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import type { Sample } from "./samples.ts";

/** What samples call the clients of our packages, so that their calls are checked. A page defines every other name itself. */
const CLIENTS: Readonly<Record<string, string>> = {
  social: 'import("@social-connect/sdk").SocialConnect',
  user: 'ReturnType<import("@social-connect/sdk").SocialConnect["forSubject"]>',
  admin: 'Extract<ReturnType<typeof import("@social-connect/admin-sdk").createAdmin>, { apply: unknown }>',
  mock: 'ReturnType<typeof import("@social-connect/mocks").createConsumerMock>',
  // Made by a code generator of the reader.
  PostTitle: 'import("@social-connect/sdk").TypedDocument<any, any>',
};
const UNDEFINED_NAME = [2304, 2552, 2503, 2582, 2584, 2593, 2693, 18004];
/** What a program without types must have too: its names, modules and their exports. */
const JAVASCRIPT_ERRORS = [...UNDEFINED_NAME, 2305, 2307, 2614, 2724];
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  lib: ["lib.es2024.d.ts", "lib.esnext.disposable.d.ts"],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  jsx: ts.JsxEmit.Preserve,
  types: ["node"],
  strict: true,
  noImplicitAny: false,
  noImplicitThis: false,
  experimentalDecorators: true,
  allowJs: true,
  checkJs: true,
  noEmit: true,
  skipLibCheck: true,
};

export interface Problem {
  readonly sample: Sample;
  readonly text: string;
}

/**
 * Type-checks unchanged samples in a folder in which the packages are installed. A sample of a page in
 * `complete` has to define each name; elsewhere names of the page are accepted.
 */
export async function typeCheck(
  folder: string,
  samples: readonly Sample[],
  complete: readonly string[],
): Promise<readonly Problem[]> {
  await mkdir(join(folder, "samples"), { recursive: true });
  const files = new Map<string, Sample>();
  for (const [index, sample] of samples.entries()) {
    files.set(join(folder, "samples", `${index}.${sample.language.replace("j", "t")}`), sample);
  }
  const undefinedIn = new Map<Sample, string[]>();
  const { problems, exported } = await check(folder, files, new Map(), new Map());
  for (const { sample, code, name } of problems) {
    if (UNDEFINED_NAME.includes(code) && !complete.includes(sample.page)) {
      undefinedIn.set(sample, [...(undefinedIn.get(sample) ?? []), name]);
    }
  }
  return (await check(folder, files, undefinedIn, exported)).problems;
}

/** Also gives the package of each name that a sample may take from its page's imports. */
async function check(
  folder: string,
  files: ReadonlyMap<string, Sample>,
  names: ReadonlyMap<Sample, readonly string[]>,
  exported: ReadonlyMap<string, string>,
) {
  const modules = new Set<string>();
  for (const [file, sample] of files) {
    const { text, imported } = moduleOf(sample, [...new Set(names.get(sample))], exported);
    for (const name of imported) modules.add(name);
    await writeFile(file, text);
  }
  const ambient = join(folder, "samples", "modules.d.ts");
  const exports = join(folder, "samples", "exports.ts");
  // Packages of others are not what is checked here.
  const isInstalled = (name: string) => existsSync(join(folder, "node_modules", ...name.split("/").slice(0, 2)));
  const others = [...modules].filter((name) => !/^(?:\.|node:)/.test(name) && !isInstalled(name));
  const declarations = others.map((name) => `declare module ${JSON.stringify(name)};`).join("\n");
  await writeFile(
    ambient,
    `${declarations}\ndeclare namespace JSX { interface IntrinsicElements { [name: string]: any } }\n`,
  );
  await writeFile(exports, PACKAGES.map((name) => `import "${name}";\n`).join(""));
  const program = ts.createProgram([...files.keys(), ambient, exports], OPTIONS);
  const problems = [...files].flatMap(([file, sample]) => {
    const source = program.getSourceFile(file);
    const found = source ? [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)] : [];
    return found.flatMap(({ code, start = 0, length = 0, messageText }) => {
      const name = source?.text.slice(start, start + length) ?? "";
      // Another file of the reader's application, and a generic call of a package that is not installed.
      if (code === 2347 || (code === 2307 && /^["'](?:\.|@\/)/.test(name))) return [];
      if (sample.language.startsWith("j") && code > 2000 && !JAVASCRIPT_ERRORS.includes(code)) return [];
      return [{ sample, code, name, text: `${ts.flattenDiagnosticMessageText(messageText, " ")} (${name})` }];
    });
  });
  const checker = program.getTypeChecker();
  const imports = program.getSourceFile(exports)?.statements.filter(ts.isImportDeclaration) ?? [];
  const owners = imports.toReversed().flatMap(({ moduleSpecifier }) => {
    const symbol = checker.getSymbolAtLocation(moduleSpecifier);
    const own = symbol === undefined ? [] : checker.getExportsOfModule(symbol);
    return own.map(({ name }) => [name, (moduleSpecifier as ts.StringLiteral).text] as const);
  });
  return { problems, exported: new Map(owners) };
}

const PACKAGES = ["sdk", "admin-sdk", "mocks", "browser"].map((name) => `@social-connect/${name}`);

/** The place of a sample in the reader's code: what a handler does, a method of a class, or properties of an object. */
const PLACES = [
  ["async function sample(this: any) {", "}"],
  ["type Request = any; type Response = any; class Sample { [name: string]: any;", "}"],
  ["const sample = {", "};"],
] as const;

/** A sample without exports is put into a function, class or object of the reader, after its imports. */
function moduleOf({ code, language }: Sample, names: readonly string[], exported: ReadonlyMap<string, string>) {
  const parse = (text: string) => ts.createSourceFile(`sample.${language}`, text, ts.ScriptTarget.Latest, true);
  const source = parse(code);
  const imports = source.statements.filter(ts.isImportDeclaration);
  const imported = imports.map(({ moduleSpecifier }) => (moduleSpecifier as ts.StringLiteral).text);
  const declared = names.map((name) => {
    const owner = exported.get(name);
    if (owner !== undefined) return `import { ${name} } from "${owner}";`;
    return `declare const ${name}: ${CLIENTS[name] ?? "any"}; type ${name} = any;`;
  });
  // Samples mean a window of posts.
  if (language === "ts" && !names.includes("window")) declared.push("declare const window: any;");
  const isModule = source.statements.some(
    (one) =>
      ts.isExportAssignment(one) ||
      (ts.canHaveModifiers(one) && one.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)),
  );
  if (isModule) return { text: `${declared.join("\n")}\n${code}`, imported };
  const end = imports.at(-1)?.end ?? 0;
  const texts = PLACES.map(
    ([before, after]) => `${code.slice(0, end)}\n${declared.join("\n")}\n${before}\n${code.slice(end)}\n${after}`,
  );
  const text = texts.find((one) => ts.transpileModule(one, { reportDiagnostics: true }).diagnostics?.length === 0);
  return { text: text ?? texts[0] ?? "", imported };
}
