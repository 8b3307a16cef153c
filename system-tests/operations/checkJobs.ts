import { providerSlug } from "../../packages/domain/src/index.ts";
import { runStatement } from "../../packages/testkit/src/database.ts";
import { control, type SimulatedAccount } from "../../packages/testkit/src/simulatorControl.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { LinkedAccount, Load } from "./load.ts";

const WINDOW_MS = 7 * 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** Throws unless every accepted job succeeded, and none twice. Returns how many were accepted. */
export async function checkJobs(
  { databaseUrl, processes }: Deployment,
  { acceptedJobs, disconnected }: Load,
): Promise<number> {
  const receipts = disconnected.flatMap(({ disconnection: { result } }) => [result.revokeJobId, result.eraseJobId]);
  const ids = [...acceptedJobs, ...receipts];
  const rows = await runStatement<{ id: string }>(
    databaseUrl,
    "SELECT id FROM job WHERE id = ANY ($1::uuid[]) AND status = 'SUCCEEDED'",
    [ids],
  );
  const succeeded = new Set(rows.map(({ id }) => id));
  const lost = ids.filter((id) => !succeeded.has(id));
  if (lost.length > 0) throw new Error(`${lost.length} accepted jobs did not succeed, e.g. ${lost[0]}`);
  const violations = await runStatement(databaseUrl, "SELECT rule, detail FROM probe.violation");
  if (violations.length > 0) throw new Error(`forbidden changes of the database: ${JSON.stringify(violations)}`);
  const lines = processes.flatMap((each) => each.lines).filter(({ msg }) => msg === "job succeeded");
  const twice = lines.find(({ jobId }, index) => lines.findIndex((line) => line.jobId === jobId) !== index);
  if (twice !== undefined) throw new Error(`the job ${twice["jobId"]} succeeded twice`);
  return ids.length;
}

/** Throws unless the accounts are what the jobs should have made of them, at the service and at the provider. */
export async function checkEffects({ simulatorUrl }: Deployment, { disconnected, linked }: Load): Promise<void> {
  for (const account of linked) {
    await checkPosts(simulatorUrl, account);
    const [grant, ...others] = await grantsOf(simulatorUrl, account);
    if (grant === undefined || others.length > 0 || grant.ended !== null || grant.uses.replayedRefreshes > 0) {
      throw new Error(
        `${account.name} does not have one unused grant at the provider: ${JSON.stringify([grant, ...others])}`,
      );
    }
  }
  for (const account of disconnected) {
    const grants = await grantsOf(simulatorUrl, account);
    if (grants.length !== 1 || grants[0]?.ended?.cause !== "revoked" || grants[0].uses.revocations !== 1) {
      throw new Error(`${account.name} was not revoked once at the provider: ${JSON.stringify(grants)}`);
    }
  }
}

/** Visibilities of posts that the service reads. Who has the address of an unlisted post can open it. */
const READABLE: ReadonlySet<string> = new Set(["public", "unlisted"]);

/** The posts of the last week, without the last hour of it, because posts age during the check. */
async function checkPosts(simulatorUrl: string, account: LinkedAccount): Promise<void> {
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
}

async function grantsOf(simulatorUrl: string, { provider, name }: LinkedAccount): Promise<SimulatedAccount["grants"]> {
  const path = `/accounts/${providerSlug(provider)}/${name}`;
  return (await control<SimulatedAccount>(simulatorUrl, "GET", path)).grants;
}
