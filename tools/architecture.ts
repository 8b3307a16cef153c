/** Who may import whom, and what may not be written where: the rules as data, and the check as pure functions. */

export interface SourceFile {
  /** Path from the root of the workspace, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** A room of the house, by the start of its path, and the rooms and packages that its files may import. */
interface Room {
  readonly name: string;
  readonly paths: readonly string[];
  readonly mayImport: readonly string[];
}

/** First match wins, so a narrow path stands before the wide one that holds it. */
const ROOMS: readonly Room[] = [
  { name: "generated", paths: ["apps/server/src/_generated/"], mayImport: ["*"] },
  // Composition roots: what they put together they have to know.
  {
    name: "composition",
    paths: ["apps/server/src/main.", "apps/server/src/cli.", "apps/server/src/index."],
    mayImport: ["*"],
  },
  { name: "dev", paths: ["apps/server/src/dev/"], mayImport: ["*"] },
  // Tests of whole processes, and what they start.
  { name: "faults", paths: ["apps/server/src/faults/"], mayImport: ["*"] },
  {
    name: "graphql",
    paths: ["apps/server/src/graphql/"],
    mayImport: ["graphql", "modules", "platform", "generated", "domain", "contract"],
  },
  {
    name: "http",
    paths: ["apps/server/src/http/"],
    mayImport: ["http", "graphql", "modules", "platform", "generated", "domain", "contract"],
  },
  {
    name: "jobs",
    paths: ["apps/server/src/jobs/"],
    mayImport: ["jobs", "modules", "platform", "generated", "domain", "contract"],
  },
  {
    name: "modules",
    paths: ["apps/server/src/modules/"],
    mayImport: ["modules", "providers", "platform", "generated", "domain", "contract"],
  },
  {
    name: "providers",
    paths: ["apps/server/src/providers/"],
    mayImport: ["providers", "platform", "domain", "contract"],
  },
  { name: "config", paths: ["apps/server/src/config/"], mayImport: ["config", "platform", "domain", "contract"] },
  {
    name: "platform",
    paths: ["apps/server/src/platform/"],
    mayImport: ["platform", "generated", "domain", "contract"],
  },
  // Runs in a browser: it knows the service by the admin schema, and shares the pure rules.
  { name: "panel", paths: ["apps/panel/"], mayImport: ["panel", "contract", "domain"] },
  { name: "simulator", paths: ["apps/simulator/"], mayImport: ["simulator"] },
  { name: "contract", paths: ["packages/contract/"], mayImport: ["contract"] },
  { name: "domain", paths: ["packages/domain/"], mayImport: ["domain", "contract"] },
  // Private, and bundled into both SDKs.
  { name: "sdk-core", paths: ["packages/sdk-core/"], mayImport: ["sdk-core"] },
  { name: "sdk", paths: ["packages/sdk/"], mayImport: ["sdk", "sdk-core", "contract"] },
  { name: "admin-sdk", paths: ["packages/admin-sdk/"], mayImport: ["admin-sdk", "sdk-core", "domain", "contract"] },
  // Written from the description alone: it knows the service by its wire.
  { name: "conformance", paths: ["packages/conformance/"], mayImport: ["conformance", "contract"] },
  // The service in memory: the rules and the schema, and nothing of the server. It is held to the same suite.
  { name: "mocks-machine-clock", paths: ["packages/mocks/src/world/machineClock.ts"], mayImport: [] },
  {
    name: "mocks",
    paths: ["packages/mocks/"],
    mayImport: ["mocks", "mocks-machine-clock", "domain", "contract", "conformance"],
  },
  { name: "testkit", paths: ["packages/testkit/"], mayImport: ["testkit"] },
  { name: "example-web-backend", paths: ["examples/web-backend/"], mayImport: ["example-web-backend", "sdk"] },
  { name: "example-demo", paths: ["examples/demo/"], mayImport: ["example-demo", "sdk"] },
  {
    name: "example-content-worker",
    paths: ["examples/content-worker/"],
    mayImport: ["example-content-worker", "sdk"],
  },
  { name: "example-hono-app", paths: ["examples/hono-app/"], mayImport: ["example-hono-app", "sdk"] },
  {
    name: "example-admin-automation",
    paths: ["examples/admin-automation/"],
    mayImport: ["example-admin-automation", "admin-sdk"],
  },
  {
    name: "example-integrator-tests",
    paths: ["examples/integrator-tests/"],
    mayImport: ["example-integrator-tests", "sdk"],
  },
  // The other languages' own files are none of TypeScript's business.
  { name: "example-python-tests", paths: ["examples/python-tests/"], mayImport: ["example-python-tests"] },
  // Each recipe is a test, by whatever name its runner looks for.
  { name: "example-recipes", paths: ["examples/recipes/"], mayImport: ["example-recipes", "sdk", "mocks"] },
  { name: "tools", paths: ["tools/", "benchmarks/", "vitest.config.ts"], mayImport: ["*"] },
];

/** Tests may reach further: they build what they test out of the real parts. */
const TESTS_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  graphql: ["composition", "jobs", "providers", "http", "testkit", "simulator", "sdk", "admin-sdk", "dev"],
  http: ["composition", "jobs", "providers", "testkit", "simulator", "sdk", "dev"],
  jobs: ["composition", "providers", "testkit", "simulator", "sdk"],
  modules: ["composition", "jobs", "testkit", "simulator"],
  providers: ["testkit", "simulator"],
  config: ["testkit"],
  platform: ["testkit"],
  domain: ["testkit"],
  panel: ["composition", "http", "modules", "providers", "platform", "jobs", "dev", "testkit", "simulator", "sdk"],
  sdk: ["testkit", "domain"],
  conformance: ["testkit", "simulator"],
  mocks: ["testkit", "sdk"],
  "example-demo": ["testkit"],
  "example-content-worker": ["dev", "example-demo", "testkit"],
  "example-hono-app": ["dev", "example-demo", "testkit"],
  "example-admin-automation": ["http", "modules"],
  "example-web-backend": ["testkit"],
  "example-integrator-tests": ["mocks"],
  "example-python-tests": ["testkit"],
  "example-recipes": ["testkit", "platform"],
};

const PACKAGE_PREFIX = "@social-connect/";
/** A deep door of a package is the package's; a published example has the package's own name. */
const ROOM_OF_PACKAGE: Readonly<Record<string, string>> = { server: "composition" };

/** Rooms whose rules must not look at a clock of their own: time is read once a use case, and passed on. */
const TIMELESS = ["modules", "jobs", "graphql", "domain", "mocks"];
const CLOCK_READING = /\bDate\.now\(\)|\bnew Date\(\s*\)/;

export function checkArchitecture(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) => [...checkImports(file), ...checkClock(file)]);
}

function checkImports(file: SourceFile): Violation[] {
  const room = roomOf(file.path);
  if (room === null) return [{ path: file.path, line: 1, message: "no rule says what this folder may import" }];
  const allowed = [...room.mayImport, ...(isTest(file.path) ? (TESTS_MAY_IMPORT[room.name] ?? []) : [])];
  return importsOf(file).flatMap(({ line, specifier }) => {
    const problem = judge(file, room, allowed, specifier);
    return problem === null ? [] : [{ path: file.path, line, message: problem }];
  });
}

function judge(file: SourceFile, room: Room, allowed: readonly string[], specifier: string): string | null {
  if (allowed.includes("*")) return null;
  const isOwn = specifier.startsWith(PACKAGE_PREFIX);
  if (!isOwn && !specifier.startsWith(".")) {
    const isPure = room.name === "domain" || room.name === "contract";
    return isPure && !isTest(file.path) ? `${room.name} is pure and takes no package (${specifier})` : null;
  }
  const target = isOwn ? roomOfPackage(specifier) : roomOf(resolvePath(file.path, specifier));
  if (target === null) return `${specifier} lies in no known folder`;
  if (!allowed.includes(target.name)) return `${room.name} must not import ${target.name} (${specifier})`;
  return isOwn ? null : judgeWithinServer(file, resolvePath(file.path, specifier));
}

/** Rules inside a room: a module's store is its own, and so is a provider's folder. */
function judgeWithinServer(file: SourceFile, target: string): string | null {
  const [own, other] = [moduleOf(file.path), moduleOf(target)];
  if (other !== null && own !== other && /\/store(?:\.test)?\.ts$/.test(target) && !isTest(file.path)) {
    return `the store of ${other} is for its own module; call one of its use cases`;
  }
  const provider = (path: string) => /^apps\/server\/src\/providers\/(provider-[a-z])\//.exec(path)?.[1] ?? null;
  const [from, to] = [provider(file.path), provider(target)];
  if (from !== null && to !== null && from !== to) return `${from} must not import ${to}`;
  const knowsContractOnly = file.path.startsWith("apps/server/src/modules/") && !isTest(file.path);
  return knowsContractOnly && to !== null ? `a module must not know ${to}; what differs is data of its adapter` : null;
}

function checkClock(file: SourceFile): Violation[] {
  const room = roomOf(file.path);
  if (room === null || !TIMELESS.includes(room.name) || isTest(file.path)) return [];
  return file.text
    .split("\n")
    .flatMap((line, index) =>
      CLOCK_READING.test(stripComment(line))
        ? [{ path: file.path, line: index + 1, message: "time comes from the clock that is passed in" }]
        : [],
    );
}

function importsOf(file: SourceFile): { readonly line: number; readonly specifier: string }[] {
  const pattern = /^\s*(?:import|export)\s(?:[^"'`;]*?\sfrom\s+)?"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/gm;
  return [...file.text.matchAll(pattern)].map((match) => {
    const specifier = match[1] ?? match[2] ?? "";
    const end = match.index + match[0].length;
    return { specifier, line: file.text.slice(0, end).split("\n").length };
  });
}

function roomOf(path: string): Room | null {
  return ROOMS.find((room) => room.paths.some((start) => path.startsWith(start))) ?? null;
}

function roomOfPackage(specifier: string): Room | null {
  const [name = ""] = specifier.slice(PACKAGE_PREFIX.length).split("/");
  return ROOMS.find((room) => room.name === (ROOM_OF_PACKAGE[name] ?? name)) ?? null;
}

function moduleOf(path: string): string | null {
  return /^apps\/server\/src\/modules\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** Helpers of tests lie in folders named `testing`. */
function isTest(path: string): boolean {
  return /\.test\.ts$|\/testing\//.test(path);
}

function resolvePath(from: string, specifier: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

function stripComment(line: string): string {
  return /^\s*(?:\/\/|\*|\/\*)/.test(line) ? "" : line.replace(/\s\/\/.*$/, "");
}
