import { setTimeout as delay } from "node:timers/promises";
import { providerSlug } from "../../packages/domain/src/index.ts";
import type { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { control, type SimulatedAccount } from "../../packages/testkit/src/harness/simulatorControl.ts";
import { eventually } from "../../packages/testkit/src/index.ts";
import type { RunningDeployment } from "./deployment.ts";
import type { LinkedAccount, Load } from "./load.ts";

const LATE_MS = 5_000;
const WINDOW_MS = 7 * 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** A worker that was killed, and the jobs that ran in any worker at that time. */
export interface Killed {
  readonly process: ServiceProcess;
  readonly running: readonly string[];
}

/** Every accepted job succeeded once, including the jobs of the killed worker. */
export async function checkJobs(
  { database, processes }: RunningDeployment,
  loads: readonly Load[],
  { process: killed, running }: Killed,
): Promise<string> {
  const { ids, jobs, summary } = await readAccepted(database, loads);
  const { rows: violations } = await database.pool.query<{ rule: string; detail: string }>(
    "SELECT * FROM probe.violation",
  );
  if (violations.length > 0) throw new Error(`forbidden changes of the database: ${JSON.stringify(violations)}`);

  const takenOver = running.filter((id) => (jobs.get(id)?.attempt ?? 0) > 1);
  if (takenOver.length === 0) throw new Error("the killed worker had no job");
  await eventually(() => {
    const ends = new Map<unknown, number>();
    for (const { msg, jobId } of processes.flatMap(({ lines }) => lines)) {
      if (msg === "job succeeded") ends.set(jobId, (ends.get(jobId) ?? 0) + 1);
    }
    // Between the commit and its line, a killed worker can lose the line.
    const isExplained = (id: string) => running.includes(id) && (ends.get(id) ?? 0) === 0;
    const wrong = ids.filter((id) => ends.get(id) !== 1 && !isExplained(id));
    if (wrong.length > 0)
      throw new Error(`${wrong.length} jobs did not succeed exactly once in the logs, e.g. ${wrong[0]}`);
  }, LATE_MS);
  return `${summary}, and each succeeded once; ${takenOver.length} jobs of ${killed.name} were taken over`;
}

/** The accepted jobs, all of which succeeded. */
export async function readAccepted({ pool }: RunningDeployment["database"], loads: readonly Load[]) {
  const accepted = loads.flatMap(({ acceptedJobs }) => [...acceptedJobs]);
  const receipts = loads.flatMap(({ disconnected }) =>
    disconnected.flatMap(({ disconnection: { result } }) => [result.revokeJobId, result.eraseJobId]),
  );
  const ids = [...accepted, ...receipts];
  const { rows } = await pool.query<{ id: string; status: string; attempt: number }>(
    "SELECT id, status::text, attempt FROM job WHERE id = ANY ($1::uuid[])",
    [ids],
  );
  const jobs = new Map(rows.map((row) => [row.id, row]));
  const lost = ids.filter((id) => jobs.get(id)?.status !== "SUCCEEDED");
  if (lost.length > 0) throw new Error(`${lost.length} accepted jobs did not succeed, e.g. ${lost[0]}`);
  return { ids, jobs, summary: `${accepted.length} refreshes and ${receipts.length} receipts were accepted` };
}

/** The accounts are what the jobs should have made of them, at the service and at the provider. */
export async function checkEffects({ addresses }: RunningDeployment, loads: readonly Load[]): Promise<string> {
  const linked = loads.flatMap((load) => load.linked);
  const disconnected = loads.flatMap((load) => load.disconnected);
  let posts = 0;
  for (const account of linked) {
    posts += await checkPosts(addresses.simulator, account);
    const [grant, ...others] = await grantsOf(addresses.simulator, account);
    if (grant === undefined || others.length > 0 || grant.ended !== null || grant.uses.replayedRefreshes > 0) {
      throw new Error(
        `${account.name} does not have one unused grant at the provider: ${JSON.stringify([grant, ...others])}`,
      );
    }
  }
  for (const account of disconnected) {
    const grants = await grantsOf(addresses.simulator, account);
    if (grants.length !== 1 || grants[0]?.ended?.cause !== "revoked" || grants[0].uses.revocations !== 1) {
      throw new Error(`${account.name} was not revoked once at the provider: ${JSON.stringify(grants)}`);
    }
  }
  return `${linked.length} accounts have each of their ${posts} posts once, and ${disconnected.length} were revoked once`;
}

/** Visibilities of posts that the service reads. Who has the address of an unlisted post can open it. */
const READABLE: ReadonlySet<string> = new Set(["public", "unlisted"]);

/** The posts of the last week, without the last hour of it, because posts age during the check. */
async function checkPosts(simulatorUrl: string, account: LinkedAccount): Promise<number> {
  const publishedBefore = new Date();
  const publishedAfter = new Date(publishedBefore.getTime() - WINDOW_MS + HOUR_MS);
  const { items } = await account.subject.content(account.connectionId, { publishedAfter, publishedBefore }).page();
  const stored = items.map(({ providerContentId }) => providerContentId).toSorted();
  const { posts } = await control<{ posts: { id: string; publishedAt: string; visibility: string }[] }>(
    simulatorUrl,
    "GET",
    `/accounts/${providerSlug(account.provider)}/${account.name}/posts`,
  );
  const published = posts
    .filter(({ publishedAt, visibility }) => READABLE.has(visibility) && new Date(publishedAt) >= publishedAfter)
    .map(({ id }) => id)
    .toSorted();
  if (stored.length === 0 || stored.join() !== published.join()) {
    throw new Error(`${account.name} has ${stored.length} posts, and ${published.length} at the provider`);
  }
  return stored.length;
}

async function grantsOf(simulatorUrl: string, { provider, name }: LinkedAccount): Promise<SimulatedAccount["grants"]> {
  const path = `/accounts/${providerSlug(provider)}/${name}`;
  return (await control<SimulatedAccount>(simulatorUrl, "GET", path)).grants;
}

/** Reads that linking began may still run. */
export async function untilIdle({ database }: RunningDeployment): Promise<void> {
  for (const endMs = performance.now() + 30_000; ; await delay(100)) {
    const { rows } = await database.pool.query(
      "SELECT id, kind, status FROM job WHERE status IN ('QUEUED', 'RUNNING')",
    );
    if (rows.length === 0) return;
    if (performance.now() > endMs) throw new Error(`jobs have not ended: ${JSON.stringify(rows)}`);
  }
}
