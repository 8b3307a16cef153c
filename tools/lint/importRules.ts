/** Who may import whom, as rules of dependency-cruiser. lintImports.ts applies them. */
import type { IConfiguration, IRegularForbiddenRuleType } from "dependency-cruiser";

/** Tests and their helpers may import more than the code beside them. */
export const TEST_FILE = "\\.test\\.tsx?$|/testing/";

const WORKSPACE = "^(apps|packages|examples|tools|benchmarks|system-tests)/";

const SERVER_CORE = ["platform", "generated", "domain", "contract"];
const EXAMPLE_SERVICE = ["harness", "example-demo", "testkit"];

interface Layer {
  /** The start of its files' paths, as a regular expression. */
  readonly path: string;
  /** The other layers that its code may import. */
  readonly imports: readonly string[] | "anything";
  /** The layers that its tests may import too. */
  readonly tests?: readonly string[];
}

const LAYERS: Readonly<Record<string, Layer>> = {
  generated: { path: "apps/server/src/_generated/", imports: "anything" },
  // Composition roots know every part that they put together.
  composition: { path: "apps/server/(cli\\.|src/(main\\.|index\\.|composition/|cli/))", imports: "anything" },
  dev: { path: "apps/server/src/dev/", imports: "anything" },
  faults: { path: "apps/server/src/faults/", imports: "anything" },
  graphql: {
    path: "apps/server/src/graphql/",
    imports: ["transport", "modules", ...SERVER_CORE],
    tests: ["composition", "worker", "providers", "http", "testkit", "simulator", "sdk", "admin-sdk", "dev"],
  },
  http: {
    path: "apps/server/src/http/",
    imports: ["graphql", "transport", "modules", ...SERVER_CORE],
    tests: ["composition", "worker", "providers", "testkit", "simulator", "sdk", "dev"],
  },
  worker: {
    path: "apps/server/src/worker/",
    imports: ["modules", ...SERVER_CORE],
    tests: ["composition", "providers", "testkit", "simulator", "sdk"],
  },
  observability: {
    path: "apps/server/src/observability/",
    imports: ["config", "modules", "providers", ...SERVER_CORE],
    tests: ["composition", "worker", "http", "graphql", "testkit", "simulator", "sdk"],
  },
  modules: {
    path: "apps/server/src/modules/",
    imports: ["providers", ...SERVER_CORE],
    tests: ["composition", "config", "observability", "worker", "testkit", "simulator"],
  },
  providers: {
    path: "apps/server/src/providers/",
    imports: ["platform", "domain", "contract"],
    tests: ["testkit", "simulator"],
  },
  config: { path: "apps/server/src/config/", imports: ["platform", "domain", "contract"], tests: ["testkit"] },
  platform: { path: "apps/server/src/platform/", imports: SERVER_CORE, tests: ["testkit"] },
  // The panel runs in a browser: it knows the service by the admin schema, and shares the pure rules.
  panel: {
    path: "apps/panel/",
    imports: ["contract", "domain"],
    tests: ["composition", "http", "modules", "providers", "platform", "worker", "dev", "testkit", "simulator", "sdk"],
  },
  // The documentation site has the lists of pages that the tools make.
  docs: { path: "apps/docs/", imports: ["tools"], tests: ["contract", "testkit"] },
  // Only the check of local requests of the domain: what the providers answer must not depend on the rules of the service.
  simulator: { path: "apps/simulator/", imports: ["domain", "provider-fixtures"], tests: ["testkit"] },
  contract: { path: "packages/contract/", imports: [] },
  domain: { path: "packages/domain/", imports: ["contract"], tests: ["testkit"] },
  // Private, and bundled into the server and the mocks.
  transport: { path: "packages/transport/", imports: ["domain", "contract"], tests: ["testkit"] },
  // Private, and bundled into the server, with the simulator, and the mocks.
  "provider-fixtures": { path: "packages/provider-fixtures/", imports: ["contract"] },
  // Private, and bundled into both SDKs and the mocks.
  "sdk-core": { path: "packages/sdk-core/", imports: [], tests: ["testkit"] },
  sdk: { path: "packages/sdk/", imports: ["sdk-core", "contract"], tests: ["testkit", "domain", "transport"] },
  "admin-sdk": {
    path: "packages/admin-sdk/",
    imports: ["sdk-core", "domain", "contract"],
    tests: ["transport"],
  },
  // Runs in the pages of applications, without a bundler if need be: it imports nothing.
  browser: { path: "packages/browser/", imports: [], tests: ["contract", "mocks", "sdk", "testkit"] },
  // An independent witness: it only knows the service's wire format.
  conformance: { path: "packages/conformance/", imports: ["contract"], tests: ["testkit", "simulator"] },
  mocks: {
    path: "packages/mocks/",
    imports: ["transport", "provider-fixtures", "sdk-core", "domain", "contract", "conformance"],
    tests: ["testkit", "sdk"],
  },
  // Generates files of other packages; none of them imports it at run time.
  codegen: { path: "packages/codegen/", imports: ["contract"] },
  create: { path: "packages/create/", imports: ["sdk-core"] },
  // Starts the programs of tests, which know them by their commands. The temporary PostgreSQL is the one that the service embeds.
  harness: { path: "packages/testkit/src/harness/", imports: ["testkit", "platform", "contract"] },
  testkit: { path: "packages/testkit/(?!src/harness/)", imports: [] },
  "example-web-backend": {
    path: "examples/web-backend/",
    imports: ["sdk"],
    tests: ["mocks", "testkit"],
  },
  "example-demo": { path: "examples/demo/", imports: ["sdk", "harness"], tests: ["testkit"] },
  "example-content-worker": {
    path: "examples/content-worker/",
    imports: ["sdk"],
    tests: [...EXAMPLE_SERVICE, "mocks"],
  },
  "example-hono-app": { path: "examples/hono-app/", imports: ["sdk"], tests: [...EXAMPLE_SERVICE, "mocks"] },
  "example-admin-automation": {
    path: "examples/admin-automation/",
    imports: ["admin-sdk"],
    tests: ["system-tests"],
  },
  "example-integrator-tests": { path: "examples/integrator-tests/", imports: ["sdk"], tests: ["mocks"] },
  "example-python-tests": { path: "examples/python-tests/", imports: [], tests: ["testkit"] },
  // Every recipe is a test, with the file name that its runner expects.
  "example-recipes": { path: "examples/recipes/", imports: ["sdk", "mocks"], tests: ["testkit", "platform"] },
  "system-tests": { path: "system-tests/", imports: "anything" },
  tools: { path: "(tools|benchmarks|apps/server/(prisma|tools))/", imports: "anything" },
};

function startsWith(names: readonly string[]): string {
  return `^(${names.map((name) => LAYERS[name]?.path).join("|")})`;
}

function rule(
  name: string,
  from: IRegularForbiddenRuleType["from"],
  to: IRegularForbiddenRuleType["to"],
  comment = "",
): IRegularForbiddenRuleType {
  return { name, comment, severity: "error", from, to };
}

const layerRules = Object.entries(LAYERS).flatMap(([name, { path, imports, tests = [] }]) => {
  if (imports === "anything") return [];
  const own = [name, ...imports];
  const outside = (layers: readonly string[]) => ({ path: WORKSPACE, pathNot: startsWith(layers) });
  return [
    rule(`imports-of-${name}`, { path: `^${path}`, pathNot: TEST_FILE }, outside(own)),
    rule(`imports-of-${name}-tests`, { path: `^${path}.*(${TEST_FILE})` }, outside([...own, ...tests])),
  ];
});

const SERVER = "^apps/server/src";

export const IMPORT_RULES: IConfiguration = {
  forbidden: [
    ...layerRules,
    rule(
      "circular",
      // The two mocks name each other, and the commands of the control API call them.
      { pathNot: `${TEST_FILE}|^packages/mocks/src/mock/` },
      { circular: true },
      "Move what both need, types too, to the file that the other imports.",
    ),
    rule(
      "unknown-layer",
      { path: WORKSPACE, pathNot: startsWith(Object.keys(LAYERS)) },
      {},
      "Add the folder to LAYERS.",
    ),
    rule(
      "pure-packages",
      { path: startsWith(["domain", "contract"]), pathNot: TEST_FILE },
      { pathNot: startsWith(["domain", "contract"]) },
      "The rules depend on no package and on no Node API.",
    ),
    rule(
      "store-is-private",
      { path: `${SERVER}/modules/([^/]+)/`, pathNot: TEST_FILE },
      { path: `${SERVER}/modules/[^/]+/store\\.ts$`, pathNot: `${SERVER}/modules/$1/` },
      "Call a use case of the other module.",
    ),
    rule(
      "provider-is-private",
      { path: `${SERVER}/providers/(provider-[a-z])/` },
      { path: `${SERVER}/providers/provider-`, pathNot: `${SERVER}/providers/$1/` },
    ),
    rule(
      "modules-do-not-know-providers",
      { path: `${SERVER}/modules/`, pathNot: TEST_FILE },
      { path: `${SERVER}/providers/provider-` },
      "What differs between providers is data of their adapters.",
    ),
    rule(
      "simulator-does-not-know-providers",
      { path: "^apps/simulator/src/(?!providers/)", pathNot: TEST_FILE },
      { path: "^apps/simulator/src/providers/provider-" },
      "What differs between providers is data of their profiles.",
    ),
  ],
  options: {
    // Templates import what their applications install. `pnpm consumers templates` checks them.
    exclude: {
      path: "(^|/)dist/|^apps/docs/\\.site/|^packages/create/templates/|\\.d\\.ts$|(tsup|codegen|prisma)\\.config\\.ts$|/codegen\\.ts$",
    },
    doNotFollow: { path: "node_modules|^apps/server/src/_generated/" },
    parser: "tsc",
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@social-connect/source", "import", "node", "default"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".json"],
    },
  },
};
