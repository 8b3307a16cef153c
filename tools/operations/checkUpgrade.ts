/**
 * Upgrades a deployment from the previous release to this version under load, as docs/operations/upgrades.md describes: two apis
 * behind a proxy and three workers of the previous release serve while migrations run, and are replaced one by one. Then one api and
 * one worker are rolled back, and replaced again. No request fails, and every accepted job succeeds.
 *
 *     pnpm check:upgrade [--previous DIR]
 *
 * The previous release is the commit before the first migration after `tools/migrations/release.json`, checked out into a temporary
 * folder, or a checkout with installed packages. So it needs the history, which a shallow clone does not have:
 * `tools/migrations/sideBySide.test.ts` runs the recorded statements of the previous release instead.
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SocialConnect } from "../../packages/sdk/src/index.ts";
import { run } from "../packages/commands.ts";
import { checkEffects, readAccepted, untilIdle } from "./checkJobs.ts";
import { CountedRequests } from "./countedRequests.ts";
import type { Deployment, Release } from "./deployment.ts";
import { currentRelease, startDeployment } from "./deployment.ts";
import { Load, whileLoaded } from "./load.ts";
import { installPreviousRelease, releaseIn, writeCommand } from "./previousRelease.ts";
import type { Check } from "./runCheck.ts";
import { runCheck } from "./runCheck.ts";
import type { ServiceProcess } from "./serviceProcess.ts";

const COMMAND = fileURLToPath(new URL("../../apps/server/src/cli/cli.ts", import.meta.url));
/** How long all processes run undisturbed under load, before and after. */
const CALM_MS = 4_000;

async function main({ folder, shutdown, say }: Check): Promise<void> {
  const { values } = parseArgs({ options: { previous: { type: "string" } } });
  const checkout = values.previous ?? (await installPreviousRelease(folder, shutdown));
  const previous = await releaseIn(checkout, folder);
  const current = currentRelease(await writeCommand(COMMAND, join(folder, "current-command")));
  const deployment = await startDeployment(previous, folder, shutdown, { watchesChanges: false });
  say(`${deployment.processes.map(({ name }) => name).join(", ")} of the previous release are ready behind the proxy`);
  await upgrade({ deployment, previous, current, folder, say });
}

interface Upgrade {
  readonly deployment: Deployment;
  readonly previous: Release;
  readonly current: Release;
  readonly folder: string;
  readonly say: (line: string) => void;
}

async function upgrade({ deployment, previous, current, folder, say }: Upgrade): Promise<void> {
  const { addresses, applications, environment, openAccount, processes } = deployment;
  const requests = new CountedRequests();
  const client = new SocialConnect({ baseUrl: addresses.server, key: applications.demo.key, fetch: requests.fetch });
  const load = new Load({ name: "demo", client, application: applications.demo, requests, openAccount });
  const apis = processes.filter(({ role }) => role === "api");
  const workers = processes.filter(({ role }) => role === "worker");
  await load.prepare();
  await whileLoaded(load, async () => {
    await delay(CALM_MS);
    const beganMs = performance.now();
    const output = await run(current.command, ["migrate"], { folder, environment });
    const count = output.split(", ").length;
    say(`${count} migrations were applied in ${seconds(beganMs)} while the previous release served`);
    await delay(CALM_MS);
    for (const each of [...workers, ...apis]) await replace(each, current, say);
    requests.requireNoFailure();
    say(`all processes are replaced; ${requests.total} requests, none failed`);
    await delay(CALM_MS);
    const [api, worker] = [apis.slice(0, 1), workers.slice(0, 1)];
    for (const each of [...worker, ...api]) await replace(each, previous, say);
    await delay(CALM_MS);
    for (const each of [...worker, ...api]) await replace(each, current, say);
  });
  await untilIdle(deployment);
  requests.requireNoFailure();
  const { summary } = await readAccepted(deployment.database, [load]);
  say(`${requests.total} requests, none failed; ${summary}, and all succeeded`);
  say(await checkEffects(deployment, [load]));
}

async function replace(process: ServiceProcess, release: Release, say: (line: string) => void): Promise<void> {
  const stopMs = await process.stop();
  await process.start(release);
  const which = release.isCurrent ? "this version" : "the previous release";
  say(`${process.name} runs ${which}; it stopped within ${(stopMs / 1_000).toFixed(1)} s`);
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`;
}

await runCheck("upgrade", main);
