import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServedMock } from "../../packages/mocks/src/node.ts";
import { run } from "../packages/commands.ts";
import { type PackedPackage, packPackages } from "../packages/pack.ts";
import { choosePublished } from "../packages/publishedPackages.ts";
import { checkBrowserBuild } from "./browserBuild.ts";
import { proveBrowserPackage } from "./browserPackage.ts";
import { bundleForNode, runInWorker } from "./bundled.ts";
import { proveBundlers } from "./bundlers.ts";
import { proveDeployment, proveMissingDatabase } from "./deployedServer.ts";
import { proveFailedRequests } from "./failedRequests.ts";
import { checkSize, measureInstalled } from "./installedSize.ts";
import { type ConsumerKind, isCompiledBy, KINDS, optionsOf } from "./kinds.ts";
import { linkAccount } from "./linkAccount.ts";
import { proveLostAnswers } from "./lostAnswers.ts";
import { startMockService } from "./mockService.ts";
import { proveRefusal, proveServer, startFirstPath } from "./packedServer.ts";
import { runSnippet } from "./readmeSnippets.ts";
import {
  type Compiler,
  compilers,
  endedNode,
  installToolchain,
  nodeRuntimes,
  otherRuntimes,
  type Runtime,
} from "./toolchain.ts";
import { proveTsJest } from "./tsJest.ts";
import { proveChangedTime, proveMocksInVitest } from "./vitestConsumer.ts";
import { CONSUMER_TYPES, installPacked, listUses, writeConsumer } from "./workspace.ts";

const SERVER = "@social-connect/server";
/** What an installation of the service needs of this workspace. */
const SERVICE_PACKAGES = [SERVER, "@social-connect/contract"];
const MOCKS = "@social-connect/mocks";

interface Choice {
  readonly names: readonly string[];
  /** Only the libraries. */
  readonly isTypesOnly: boolean;
}

/** The consumers of the packages with these names, or of all. */
export async function proveInstalled({ names, isTypesOnly }: Choice): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "social-connect-consumers-")));
  const service = await startMockService();
  try {
    await installToolchain();
    const packages = await packPackages(choosePublished(withCompanions(names)), join(folder, "packed"));
    const place = join(folder, "consumer");
    const peers = packages.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {}));
    await installPacked(place, packages, [...CONSUMER_TYPES, ...peers.map(([name, range]) => `${name}@${range}`)]);
    const uses = listUses(packages);
    console.log(`consumers of ${uses.map(({ name }) => name).join(", ")}`);
    await proveKinds(place, uses, service);
    await proveOtherRuntimes(place, service);
    await proveWorker(place, uses, service);
    if (uses.some(({ use }) => use === "sdk")) {
      await proveLostAnswers(place, [...nodeRuntimes(), ...otherRuntimes()]);
      await proveFailedRequests(place, [...nodeRuntimes(), ...otherRuntimes()]);
    }
    if (uses.some(({ use }) => use === "sdk")) await proveBundlers(place);
    await proveBrowser(place, packages);
    await proveBrowserPackage(place, packages);
    await proveTsJest(join(folder, "ts-jest"), packages);
    if (packages.some(({ name }) => name === MOCKS)) {
      await proveChangedTime(join(folder, "changed-time"), packages);
      console.log("  Vitest: uses dates from before a change of the time, of a worker and of structuredClone");
    }
    if (isTypesOnly) return;
    const mocks = packages.find(({ name }) => name === MOCKS);
    if (mocks !== undefined) {
      await proveMocksInVitest(join(folder, "tests"), mocks);
      console.log(`  ${MOCKS}: works in a folder with MSW and vitest, the README's first test and \`drift\` too`);
    }
    await proveService(join(folder, "service"), packages);
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A consumer of the mocks is a consumer of the SDK, which it points at them; the service needs the contract. */
function withCompanions(names: readonly string[]): readonly string[] {
  const companions = { mocks: ["sdk"], server: ["contract"] };
  const wanted = Object.entries(companions).flatMap(([name, others]) => (names.includes(name) ? others : []));
  return [...new Set([...names, ...wanted])];
}

type Uses = ReturnType<typeof listUses>;

/** Each kind of consumer, compiled by each TypeScript that has it, with declarations checked. */
async function proveKinds(place: string, uses: Uses, service: ServedMock): Promise<void> {
  for (const { name, type } of KINDS) {
    const folder = join(place, name);
    await writeConsumer(
      folder,
      uses.map(({ use }) => use),
      service,
    );
    await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type }));
  }
  await twoAtATime(compilers(), (compiler) => compile(place, compiler));
  await twoAtATime(KINDS, (kind) => runKind(kind, join(place, kind.name), service));
}

/** Compiles every kind in one process, which reads the declarations of Node and of the packages once. */
async function compile(place: string, { version, program }: Compiler): Promise<void> {
  const projects: string[] = [];
  for (const kind of KINDS.filter((kind) => isCompiledBy(kind, version))) {
    const project = join(place, kind.name, `tsconfig-${version.toFixed(1)}.json`);
    const compilerOptions = { ...optionsOf(kind, version), outDir: outDirOf(version) };
    await writeFile(project, JSON.stringify({ compilerOptions, files: ["main.ts"] }));
    projects.push(project);
  }
  await run(process.execPath, [program, "--build", ...projects], { folder: place });
}

async function runKind(kind: ConsumerKind, folder: string, service: ServedMock): Promise<void> {
  const versions = compilers().flatMap(({ version }) => (isCompiledBy(kind, version) ? [version] : []));
  const nodes = nodeRuntimes();
  for (const version of versions) {
    const compiled = join(folder, outDirOf(version), "main.js");
    const program = kind.isBundled ? await bundleForNode(compiled) : compiled;
    // The output of compilers hardly differs, so only that of the newest runs under every Node.
    const runtimes = version === versions.at(-1) ? nodes : nodes.slice(0, 1);
    for (const runtime of runtimes) await run(runtime.program, [program, service.url], { folder });
  }
  const compiled = versions.map((version) => version.toFixed(1)).join(", ");
  const ran = nodes.map(({ name }) => name.replace("Node ", "")).join(", ");
  console.log(`  ${kind.name}: TypeScript ${compiled} compile it, and it runs under Node ${ran}`);
}

function outDirOf(version: number): string {
  return `out-${version.toFixed(1)}`;
}

/** Two, because the machines of CI have two processors. */
async function twoAtATime<Item>(items: readonly Item[], perform: (item: Item) => Promise<void>): Promise<void> {
  const open = [...items];
  const lane = async () => {
    for (let item = open.shift(); item !== undefined; item = open.shift()) await perform(item);
  };
  await Promise.all([lane(), lane()]);
}

/** What the newest compiler made of an ES module and of a CommonJS module. */
async function proveOtherRuntimes(place: string, service: ServedMock): Promise<void> {
  for (const { name, program, parameters } of otherRuntimes()) {
    for (const kind of ["nodenext-esm", "nodenext-commonjs"]) {
      const folder = join(place, kind);
      await run(program, [...parameters, join("out-7.0", "main.js"), service.url], { folder });
    }
    console.log(`  ${name}: runs ES modules and CommonJS`);
  }
}

async function proveWorker(place: string, uses: Uses, service: ServedMock): Promise<void> {
  const folder = join(place, "worker");
  // Tests run on Node; what they need of it, a worker does not have.
  const portable = uses.filter(({ use }) => use !== "mocks");
  await writeConsumer(
    folder,
    portable.map(({ use }) => use),
    service,
  );
  await runInWorker(join(folder, "worker.ts"), service.url);
  console.log("  worker (workerd): runs, bundled as for deployment");
}

async function proveBrowser(place: string, packages: readonly PackedPackage[]): Promise<void> {
  const guarded = packages.filter(({ name }) => /\/(?:admin-)?sdk$/.test(name));
  for (const { name } of guarded) {
    await checkBrowserBuild(place, name);
    console.log(`  ${name} in a bundle for browsers: refuses to load in a page`);
  }
}

/** The service from its own package, and the first snippet of each README against its `dev`. */
async function proveService(place: string, packages: readonly PackedPackage[]): Promise<void> {
  if (!packages.some(({ name }) => name === SERVER)) return;
  await installPacked(place, packages);
  await writeFile(join(place, "package.json"), JSON.stringify({ private: true, type: "module" }));
  // The oldest and the newest Node that it promises to run under.
  const [oldest] = nodeRuntimes();
  const newest = nodeRuntimes().at(-1);
  if (oldest === undefined || newest === undefined) {
    throw new Error("there is no Node to run the service with");
  }
  const refused = endedNode();
  await proveRefusal(place, refused.program);
  console.log(`  ${SERVER}: refuses ${refused.name} and names the versions that it needs`);
  await proveServer(place, oldest.program);
  console.log(`  ${SERVER}: starts from an empty folder under ${oldest.name}, answers requests and shuts down cleanly`);
  await proveDeployed(`${place}-deployed`, packages, newest);
  const service = packages.filter(({ name }) => SERVICE_PACKAGES.includes(name));
  const { dev, stop } = await startFirstPath(`${place}-first`, newest.program, service);
  try {
    await linkAccount(dev);
    console.log(
      `  ${SERVER}: \`npx … dev\` in an empty folder runs under ${newest.name}, and an account can be linked through the consent of its simulator`,
    );
    // The README of the mocks begins with a test, which runs where vitest is.
    for (const packed of packages.filter(({ name }) => name !== MOCKS)) {
      const readme = await readFile(join(packed.folder, "README.md"), "utf8");
      if (await runSnippet(packed, readme, { folder: place, program: newest.program, dev }))
        console.log(`  ${packed.name}: the README's first snippet runs against \`dev\``);
    }
  } finally {
    await stop();
  }
}

/** As for a deployment with its own database: without optional packages. */
async function proveDeployed(place: string, packages: readonly PackedPackage[], { name, program }: Runtime) {
  const service = packages.filter((packed) => SERVICE_PACKAGES.includes(packed.name));
  await installPacked(place, service, ["--omit=optional"]);
  const size = await measureInstalled(place);
  checkSize(size);
  console.log(`  ${SERVER}: without optional packages, node_modules has ${size.megabytes} MB (${size.largest})`);
  await proveMissingDatabase(place, program);
  await proveDeployment(place, program);
  console.log(
    `  ${SERVER}: api and worker run from it under ${name} with a separate PostgreSQL, link an account, send traces, and end in order`,
  );
}
