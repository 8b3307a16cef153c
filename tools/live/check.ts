/**
 * A live deployment from an empty folder, by the commands of our own pages:
 *
 *     pnpm check live              with Debian's PostgreSQL and Caddy where they are installed
 *     pnpm check live --bundled    as on a machine without them: the embedded PostgreSQL, without a backup, and the testkit's proxy
 *
 * Runs the marked blocks of the pages unchanged, except for the names of the packages, which are tarballs here, and the example
 * hosts, which are addresses of this machine. Everything uses https with a private authority.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { simulatorRegistration } from "../../apps/simulator/src/index.ts";
import { SOCIAL_PROVIDERS } from "../../packages/contract/src/index.ts";
import { providerSlug } from "../../packages/domain/src/index.ts";
import { launchBrowser } from "../../packages/testkit/src/index.ts";
import { installPacked } from "../consumers/workspace.ts";
import { type Check, runCheck } from "../operations/runCheck.ts";
import { packPackages } from "../packages/pack.ts";
import { choosePublished } from "../packages/publishedPackages.ts";
import { Application, TENANT } from "./application.ts";
import { Deployment } from "./deployment.ts";
import { prepareMachine } from "./machine.ts";
import { restoreBackup, rotateApplicationKey, rotateEncryption } from "./operations.ts";
import { Pages, registeredAddresses } from "./pages.ts";
import { PanelAdmin } from "./panel.ts";

const ADMIN = "ada@example.com";

async function main({ folder, shutdown, say }: Check): Promise<void> {
  const pages = await Pages.read();
  const packages = await packPackages(choosePublished(["server", "contract", "sdk"]), join(folder, "packed"));
  const tarball = (name: string) => packages.find((each) => each.name === `@social-connect/${name}`)?.tarball ?? "";
  const machine = await prepareMachine(
    folder,
    shutdown,
    (provider, url) => registeredAddresses(pages.addresses(provider, url)),
    { isBundled: process.argv.includes("--bundled") },
  );
  const deployment = await Deployment.install(pages, machine, [tarball("server"), tarball("contract")], shutdown);
  say("installed, with roles, tables and the first admin");
  await deployment.start("api", "worker");
  say(`an issuer, two api processes and a worker run behind ${machine.proxy}`);

  say(await deployment.issuerProblem("ISSUER_URL= ISSUER_CLIENT_ID= ISSUER_CLIENT_SECRET_FILE="));
  say(await deployment.issuerProblem(`ISSUER_URL=${machine.urls.issuer}/other`));

  const browser = await launchBrowser({
    args: [`--ignore-certificate-errors-spki-list=${machine.certificates.fingerprint}`],
  });
  shutdown.add(() => browser.close());
  const { service, application: origin, providers } = machine.urls;
  const admin = await PanelAdmin.signIn(browser, service, ADMIN);
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
  const application = new Application(sdk, machine, browser);
  application.listen(machine.upstreams.application, shutdown);
  application.key = await admin.issueKey("Issue a key");
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
  await rotateApplicationKey(admin, application);
  say("rotated the application's key");
  say(await rotateEncryption(pages, deployment, application, linked[0]));
  if (machine.database.programs === undefined) {
    say("SKIPPED: backup and restore, because pg_dump and psql of the Debian package postgresql are not used");
    pages.skip("dump", "restore-dump");
    for (const account of linked) say(`disconnected ${account.provider}: ${await application.disconnect(account)}`);
  } else {
    say(await restoreBackup(pages, deployment, application, linked));
  }
  const problems = (await deployment.terminal.run("social-connect doctor"))
    .split("\n")
    .filter((line) => /^(?:failed|warning) /.test(line));
  if (problems.length > 0) throw new Error(`doctor finds problems:\n${problems.join("\n")}`);
  say("doctor finds nothing");
  pages.requireAllUsed();
}

if (spawnSync("openssl", ["version"]).status === 0) await runCheck("live", main);
else console.log("SKIPPED: the live deployment, because OpenSSL, which its pages use, is not installed");
