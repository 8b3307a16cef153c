import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServedMock } from "../../packages/mocks/src/node.ts";
import { applicationOf, linkAccount } from "../linkAccount.ts";
import { run } from "../packages/commands.ts";
import { inLanes } from "../packages/lanes.ts";
import { CONSUMER_TYPES, installPacked, type PackedPackage, packPackages } from "../packages/pack.ts";
import { choosePublished } from "../packages/publishedPackages.ts";
import { scratchFolder } from "../packages/scratchFolder.ts";
import { proveBrowserPackage } from "./browserPackage.ts";
import { proveBrowserBuild, proveBundlers } from "./bundlers.ts";
import { proveFailedRequests } from "./failedRequests.ts";
import { type ConsumerKind, isCompiledBy, KINDS, optionsOf } from "./kinds.ts";
import {
  commandIn,
  NO_DATABASE,
  proveDeployment,
  proveRefusal,
  proveServer,
  startDev,
  TOO_OLD,
} from "./packedServer.ts";
import {
  bundle,
  callingAll,
  proveDeployedWorker,
  runProgram,
  runWorker,
  usesOf,
  WORKER,
  writeProgram,
} from "./runtimes.ts";
import { proveMocksInVitest, proveTsJest } from "./testRunners.ts";
import { compilers, installToolchain, nodeOf, nodeRuntimes, otherRuntimes, type Runtime } from "./toolchain.ts";
import { firstSnippet, startMockService } from "./workspace.ts";

const SERVER = "@social-connect/server";
/** For a deployment with its own database: what an installation without optional packages may take on disk. */
const MOST_INSTALLED_MB = 80;
/** A consumer of the mocks is a consumer of the SDK, which it points at them; the service needs the contract. */
const COMPANIONS: Readonly<Record<string, string>> = { mocks: "sdk", server: "contract" };

/** The consumers of the packages with these names, or of all. */
export async function proveInstalled(names: readonly string[]): Promise<void> {
  await using scratch = await scratchFolder("consumers");
  await using service = await startMockService();
  const folder = scratch.path;
  await installToolchain();
  const wanted = new Set(names.flatMap((name) => [name, COMPANIONS[name] ?? name]));
  const packages = await packPackages(choosePublished([...wanted]), join(folder, "packed"));
  const find = (name: string) => packages.find((packed) => packed.name === `@social-connect/${name}`);
  const place = join(folder, "consumer");
  const peers = packages.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {}));
  await installPacked(place, packages, [...CONSUMER_TYPES, ...peers.map(([name, range]) => `${name}@${range}`)]);
  const uses = usesOf(packages);
  console.log(`consumers of ${uses.join(", ")}`);
  await proveKinds(place, uses, service);
  await proveOtherRuntimes(place, uses, service);
  if (find("sdk")) {
    await proveFailedRequests(place);
    await proveBundlers(place, service);
    await proveDeployedWorker(place, service);
  }
  for (const name of ["sdk", "admin-sdk"]) if (find(name)) await proveBrowserBuild(place, `@social-connect/${name}`);
  if (find("browser")) await proveBrowserPackage(place);
  const mocks = find("mocks");
  if (mocks !== undefined) {
    const libraries = packages.filter(({ name }) => /\/(mocks|sdk|contract)$/.test(name));
    await proveTsJest(join(folder, "ts-jest"), libraries);
    await proveMocksInVitest(join(folder, "tests"), mocks);
  }
  if (find("server")) await proveService(join(folder, "service"), packages);
}

/** Each kind of consumer, compiled by each TypeScript that has it, with declarations checked. */
async function proveKinds(place: string, uses: readonly string[], service: ServedMock): Promise<void> {
  for (const { name, type } of KINDS) {
    await writeProgram(join(place, name), ["service", ...uses], callingAll(uses, service));
    await writeFile(join(place, name, "package.json"), JSON.stringify({ private: true, type }));
  }
  await inLanes(compilers(), LANES, async ({ version, program }) => {
    // Every kind in one process, which reads the declarations of Node and of the packages once.
    const projects = KINDS.filter((kind) => isCompiledBy(kind, version)).map(async (kind) => {
      const project = join(place, kind.name, `tsconfig-${version.toFixed(1)}.json`);
      const compilerOptions = { ...optionsOf(kind, version), outDir: outDirOf(version) };
      await writeFile(project, JSON.stringify({ compilerOptions, files: ["main.ts"] }));
      return project;
    });
    await run(process.execPath, [program, "--build", ...(await Promise.all(projects))], { folder: place });
  });
  await inLanes(KINDS, LANES, (kind) => runKind(kind, join(place, kind.name), service));
}

async function runKind(kind: ConsumerKind, folder: string, service: ServedMock): Promise<void> {
  const versions = compilers().flatMap(({ version }) => (isCompiledBy(kind, version) ? [version] : []));
  const nodes = nodeRuntimes();
  for (const version of versions) {
    const compiled = join(folder, outDirOf(version), "main.js");
    const program = kind.name === "bundler" ? await bundle(compiled, { platform: "node" }) : compiled;
    // The output of compilers hardly differs, so only that of the newest runs under every Node.
    const runtimes = version === versions.at(-1) ? nodes : nodes.slice(0, 1);
    for (const runtime of runtimes) await runProgram(folder, runtime, service.url, {}, program);
  }
  const compiled = versions.map((version) => version.toFixed(1)).join(", ");
  const ran = nodes.map(({ name }) => name.replace("Node ", "")).join(", ");
  console.log(`  ${kind.name}: TypeScript ${compiled} compile it, and it runs under Node ${ran}`);
}

function outDirOf(version: number): string {
  return `out-${version.toFixed(1)}`;
}

/** The machines of CI have two processors. */
const LANES = 2;

/** What the newest compiler made of an ES module and of a CommonJS module; and a worker, bundled as for a deployment. */
async function proveOtherRuntimes(place: string, uses: readonly string[], service: ServedMock): Promise<void> {
  for (const runtime of otherRuntimes()) {
    for (const kind of ["nodenext-esm", "nodenext-commonjs"]) {
      await runProgram(join(place, kind), runtime, service.url, {}, join(outDirOf(7), "main.js"));
    }
    console.log(`  ${runtime.name}: runs ES modules and CommonJS`);
  }
  const folder = join(place, "worker");
  // Tests run on Node; what they need of it, a worker does not have.
  const portable = uses.filter((use) => use !== "mocks");
  await writeProgram(folder, ["service", ...portable], callingAll(portable, service));
  await runWorker(await bundle(join(folder, "worker.ts"), WORKER), service.url);
  console.log("  worker (workerd): runs, bundled as for deployment");
}

/** The service from its own package, and the first snippet of each README against its `dev`. */
async function proveService(place: string, packages: readonly PackedPackage[]): Promise<void> {
  await installPacked(place, packages);
  await writeFile(join(place, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const refused = nodeOf("20");
  await proveRefusal(place, refused.program, TOO_OLD);
  console.log(`  ${SERVER}: refuses ${refused.name} and names the versions that it needs`);
  // The oldest and the newest Node that it promises to run under.
  const [oldest, newest] = [nodeRuntimes().at(0), nodeRuntimes().at(-1)] as [Runtime, Runtime];
  await proveServer(place, oldest.program);
  console.log(`  ${SERVER}: starts from an empty folder under ${oldest.name}, serves its panel and shuts down cleanly`);
  /** What an installation of the service needs of this workspace. */
  const service = packages.filter(({ name }) => name === SERVER || name === "@social-connect/contract");
  await proveDeployed(`${place}-deployed`, service, newest);
  await using started = await startDev(`${place}-empty`, commandIn(place, newest.program));
  const { consumer, admin } = started.dev;
  await linkAccount(applicationOf(consumer));
  console.log(
    `  ${SERVER}: \`dev\` in an empty folder runs under ${newest.name}, and an account can be linked through the consent of its simulator`,
  );
  const environment = {
    SOCIAL_CONNECT_URL: consumer.baseUrl,
    SOCIAL_CONNECT_KEY: consumer.key,
    SOCIAL_CONNECT_TENANT: consumer.tenantKeys[0],
    RETURN_URL: consumer.returnUrl,
    SOCIAL_CONNECT_ADMIN_HOST: admin.host,
    SOCIAL_CONNECT_ADMIN_KEY: admin.writeKey,
  };
  // The README of the mocks begins with a test, which runs where vitest is.
  for (const { name, folder } of packages.filter(({ name }) => name !== "@social-connect/mocks")) {
    const snippet = firstSnippet(await readFile(join(folder, "README.md"), "utf8"));
    if (snippet === null) continue;
    const file = join(place, `${name.split("/")[1]}-snippet.ts`);
    await writeFile(file, snippet);
    await run(newest.program, ["--disable-warning=ExperimentalWarning", file], { folder: place, environment });
    console.log(`  ${name}: the README's first snippet runs against \`dev\``);
  }
}

/** As for a deployment with its own database: without optional packages. */
async function proveDeployed(place: string, service: readonly PackedPackage[], { name, program }: Runtime) {
  await installPacked(place, service, ["--omit=optional"]);
  const [kilobytes = ""] = (await run("du", ["-sk", "node_modules"], { folder: place })).split("\t");
  const megabytes = Math.ceil((Number(kilobytes) * 1_024) / 1_000_000);
  console.log(`  ${SERVER}: without optional packages, node_modules has ${megabytes} MB`);
  if (!(megabytes <= MOST_INSTALLED_MB)) throw new Error(`and may have ${MOST_INSTALLED_MB} MB`);
  await proveRefusal(place, program, NO_DATABASE);
  await proveDeployment(place, program);
  console.log(
    `  ${SERVER}: api and worker run from it under ${name} with a separate PostgreSQL, link an account, send traces, and end in order`,
  );
}
