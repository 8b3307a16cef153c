/**
 * A live deployment from an empty folder, by the commands of our own pages: `pnpm test:system live`, with the options of
 * docs/contributing/test-tools.md. Runs the marked blocks of the pages unchanged, except for the names of the packages, which are
 * tarballs here, and the example hosts, which are addresses of this machine.
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { type ProviderKey, simulatorRegistration } from "../../apps/simulator/src/index.ts";
import { SOCIAL_PROVIDERS } from "../../packages/contract/src/index.ts";
import { providerSlug } from "../../packages/domain/src/index.ts";
import { canMountDisk, launchBrowser, mountDisk } from "../../packages/testkit/src/index.ts";
import { CommandError } from "../../tools/packages/commands.ts";
import { installPacked, type PackedPackage, packPackages } from "../../tools/packages/pack.ts";
import { choosePublished } from "../../tools/packages/publishedPackages.ts";
import { scratchFolder } from "../../tools/packages/scratchFolder.ts";
import { checkAlerts, DATABASE_BYTES } from "./alerts.ts";
import { openApplication, TENANT } from "./application.ts";
import { installDeployment } from "./deployment.ts";
import { isInstalled, type ProxyName, prepareMachine } from "./machine.ts";
import { reloadOn, restoreBackup, rotateApplicationKey, rotateEncryption } from "./operations.ts";
import { readPages, registeredAddresses } from "./pages.ts";
import { signInToPanel } from "./panel.ts";
import { hasPrometheus } from "./prometheus.ts";

const ADMIN = "ada@example.com";

/** What is started here is stopped at the end, the folder removed, and each line has the time since the start. */
interface Check {
  readonly folder: string;
  readonly shutdown: AsyncDisposableStack;
  readonly say: (line: string) => void;
}

const { values: options } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    proxy: { type: "string", multiple: true, default: ["nginx", "caddy"] },
    bundled: { type: "boolean", default: false },
    part: { type: "string", multiple: true, default: [] },
    alert: { type: "string", multiple: true, default: [] },
  },
});

const PARTS = ["keys", "reloads", "alerts", "restore"] as const;
type Part = (typeof PARTS)[number];

/** The parts after the journeys. */
function chosenParts(isFirst: boolean): ReadonlySet<Part> {
  const named = options.alert.length > 0 ? [...options.part, "alerts"] : options.part;
  const unknown = named.find((name) => !PARTS.some((part) => part === name));
  if (unknown !== undefined) throw new Error(`there is no part ${unknown}: ${PARTS.join(", ")}`);
  if (named.length > 0) return new Set(PARTS.filter((part) => named.includes(part)));
  return new Set(options.short || !isFirst ? ["keys", "restore"] : PARTS);
}

async function main(check: Check): Promise<void> {
  const packages = await packPackages(choosePublished(["server", "contract", "sdk"]), join(check.folder, "packed"));
  const [first, ...more] = chosenProxies(check.say);
  if (first === undefined) throw new Error("--proxy is nginx or caddy");
  for (const proxy of options.short ? [first] : [first, ...more]) {
    // Ends before the next one begins. Part of the check's stack, so that an interruption ends it too.
    const shutdown = check.shutdown.use(new AsyncDisposableStack());
    await live(
      { ...check, folder: join(check.folder, proxy), shutdown },
      proxy,
      packages,
      chosenParts(proxy === first),
    );
    await shutdown.disposeAsync().catch(console.error);
  }
}

/** Names what is skipped. */
function chosenProxies(say: Check["say"]): readonly ProxyName[] {
  if (options.bundled) return ["bundled"];
  const wanted = (["nginx", "caddy"] as const).filter((name) => options.proxy.includes(name));
  for (const name of wanted)
    if (!isInstalled(name)) say(`SKIPPED: ${name}, because the Debian package ${name} is not installed`);
  const installed = wanted.filter(isInstalled);
  return wanted.length > 0 && installed.length === 0 ? ["bundled"] : installed;
}

async function live(
  { folder, shutdown, say }: Check,
  proxy: ProxyName,
  packages: readonly PackedPackage[],
  parts: ReadonlySet<Part>,
): Promise<void> {
  await mkdir(folder);
  const pages = await readPages();
  const tarball = (name: string) => packages.find((each) => each.name === `@social-connect/${name}`)?.tarball ?? "";
  const addresses = (provider: ProviderKey, url: string) => registeredAddresses(pages.addresses(provider, url));
  const disk = shutdown.use(parts.has("alerts") && canMountDisk ? mountDisk(DATABASE_BYTES) : undefined);
  const machine = await prepareMachine(folder, shutdown, addresses, {
    proxy,
    ...(disk && { databaseFolder: disk.path }),
  });
  const deployment = await installDeployment(pages, machine, [tarball("server"), tarball("contract")], shutdown);
  say(`installed, with roles, tables and the first admin; PostgreSQL is ${machine.database.description}`);
  await deployment.start("api", "worker");
  say(`an issuer, two api processes and a worker run behind ${proxy}`);

  say(await deployment.issuerProblem("ISSUER_URL= ISSUER_CLIENT_ID= ISSUER_CLIENT_SECRET_FILE="));
  say(await deployment.issuerProblem(`ISSUER_URL=${machine.urls.issuer}/other`));

  const args = [`--ignore-certificate-errors-spki-list=${machine.certificates.fingerprint}`];
  const browser = shutdown.use(await launchBrowser({ args }));
  const { service, application: origin, providers } = machine.urls;
  const admin = await signInToPanel(browser, service, ADMIN);
  for (const provider of SOCIAL_PROVIDERS) {
    const slug = providerSlug(provider);
    const registration = simulatorRegistration(providers, slug, { ...machine.client, redirectUris: [] });
    await admin.publish(provider, registration, pages.addresses(slug, service).values());
  }
  await admin.createClient({ name: "Shop", origin, tenantKey: TENANT, identityReturnUrl: `${origin}/signed-in` });
  const sdkFolder = join(folder, "application");
  await installPacked(
    sdkFolder,
    packages.filter(({ name }) => !name.endsWith("/server")),
  );
  const sdk = await import(pathToFileURL(join(sdkFolder, "node_modules/@social-connect/sdk/dist/index.js")).href);
  const application = openApplication(sdk, machine, browser, shutdown);
  application.secrets.key = await admin.issueKey("Issue a key");
  say(`${ADMIN} signed in, published three registrations, and created a client with a key`);

  const [first, second, third] = SOCIAL_PROVIDERS;
  const linked = [
    await application.link(first),
    await application.link(second),
    await application.link(third),
  ] as const;
  const posts = await Promise.all(linked.map((account) => application.read(account)));
  say(`linked three accounts and read ${posts.join(", ")} posts`);
  say(`signed in ${await application.signIn("user@example.com")} by the identity handoff`);
  if (parts.has("keys")) {
    await rotateApplicationKey(admin, application);
    say("rotated the application's key");
    say(await rotateEncryption(pages, deployment, application, linked[0]));
  }
  if (parts.has("reloads"))
    for (const cores of [1, 2]) say(await reloadOn(cores, deployment, machine, application, linked[0]));
  const problems: string[] = [];
  if (!parts.has("alerts")) pages.skip("start-with-metrics", "prometheus.yml");
  else if (disk === undefined || !hasPrometheus || machine.database.programs === undefined) {
    say(
      "SKIPPED: the alerts and full disks, because mounting a disk, the Debian package prometheus, or that of PostgreSQL is missing",
    );
    pages.skip("start-with-metrics", "prometheus.yml");
  } else {
    const given = { pages, deployment, machine, application, databaseDisk: disk, accounts: linked };
    problems.push(...(await checkAlerts(given, shutdown, say, options.alert)));
  }
  if (!parts.has("restore")) for (const account of linked) await application.disconnect(account);
  else if (machine.database.programs === undefined) {
    say("SKIPPED: backup and restore, because pg_dump and psql of the Debian package postgresql are not used");
    pages.skip(...pages.names.filter((name) => name === "dump" || name.startsWith("restore-")));
    for (const account of linked) say(`disconnected ${account.provider}: ${await application.disconnect(account)}`);
  } else {
    say(await restoreBackup(pages, deployment, application, linked));
  }
  const found = (await deployment.terminal.run("social-connect doctor"))
    .split("\n")
    .filter((line) => /^(?:failed|warning) /.test(line));
  if (found.length > 0) throw new Error(`doctor finds problems:\n${found.join("\n")}`);
  say("doctor finds nothing");
  if (parts.has("keys") && parts.has("restore")) pages.requireAllUsed();
  if (problems.length > 0) throw new Error(`${problems.length} incidents do not hold:\n${problems.join("\n")}`);
}

/** Exits with 1 at the first expectation that does not hold, or at a signal, after it has stopped what it started. */
async function runCheck(): Promise<void> {
  const say = (line: string) => console.log(`${(performance.now() / 1_000).toFixed(1).padStart(5)} s  ${line}`);
  const interrupted = ["SIGTERM", "SIGINT"].map(async (signal) => {
    await once(process, signal);
    throw new Error(`interrupted by ${signal}`);
  });
  const shutdown = new AsyncDisposableStack();
  const { path } = shutdown.use(await scratchFolder("live"));
  const problem = await Promise.race([main({ folder: path, shutdown, say }), ...interrupted]).catch((error) => error);
  await shutdown.disposeAsync().catch(console.error);
  if (problem !== undefined) console.error(problem instanceof CommandError ? problem.message : problem);
  process.exit(problem === undefined ? 0 : 1);
}

if (spawnSync("openssl", ["version"]).status === 0) await runCheck();
else console.log("SKIPPED: the live deployment, because OpenSSL, which its pages use, is not installed");
