import { grantsOf } from "../actors/accounts.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { LinkedAccount, Load } from "./load.ts";

const WINDOW_MS = 7 * 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** Throws unless every accepted job succeeded, and none twice. Returns how many were accepted. */
export async function checkJobs(
  { database, processes }: Deployment,
  { acceptedJobs, disconnected }: Load,
): Promise<number> {
  const receipts = disconnected.flatMap(({ disconnection: { result } }) => [result.revokeJobId, result.eraseJobId]);
  const ids = [...acceptedJobs, ...receipts];
  const { rows } = await database.query<{ id: string }>(
    "SELECT id FROM job WHERE id = ANY ($1::uuid[]) AND status = 'SUCCEEDED'",
    [ids],
  );
  const succeeded = new Set(rows.map(({ id }) => id));
  const lost = ids.filter((id) => !succeeded.has(id));
  if (lost.length > 0) throw new Error(`${lost.length} accepted jobs did not succeed, e.g. ${lost[0]}`);
  const { rows: violations } = await database.query("SELECT rule, detail FROM probe.violation");
  if (violations.length > 0) throw new Error(`forbidden changes of the database: ${JSON.stringify(violations)}`);
  const lines = processes.flatMap((each) => each.lines).filter(({ msg }) => msg === "job succeeded");
  const twice = lines.find(({ jobId }, index) => lines.findIndex((line) => line.jobId === jobId) !== index);
  if (twice !== undefined) throw new Error(`the job ${twice["jobId"]} succeeded twice`);
  return ids.length;
}

/** Throws unless the accounts are what the jobs should have made of them, at the service and at the provider. */
export async function checkEffects(deployment: Deployment, { disconnected, linked }: Load): Promise<void> {
  for (const account of linked) {
    await checkPosts(deployment, account);
    const [grant, ...others] = await grantsOf(deployment.simulatorUrl, account);
    if (grant === undefined || others.length > 0 || grant.ended !== null || grant.uses.replayedRefreshes > 0) {
      throw new Error(
        `${account.name} does not have one unused grant at the provider: ${JSON.stringify([grant, ...others])}`,
      );
    }
  }
  for (const account of disconnected) {
    const grants = await grantsOf(deployment.simulatorUrl, account);
    if (grants.length !== 1 || grants[0]?.ended?.cause !== "revoked" || grants[0].uses.revocations !== 1) {
      throw new Error(`${account.name} was not revoked once at the provider: ${JSON.stringify(grants)}`);
    }
  }
}

/** Visibilities of posts that the service reads. Who has the address of an unlisted post can open it. */
const READABLE: ReadonlySet<string> = new Set(["public", "unlisted"]);

/** The posts of the last week, without the last hour of it, because posts age during the check. */
async function checkPosts({ provider }: Deployment, account: LinkedAccount): Promise<void> {
  const publishedBefore = new Date();
  const publishedAfter = new Date(publishedBefore.getTime() - WINDOW_MS + HOUR_MS);
  const { items } = await account.subject.content(account.connectionId, { publishedAfter, publishedBefore }).page();
  const stored = items.map(({ providerContentId }) => providerContentId).toSorted();
  const published = (await provider.posts(account.provider, account.name))
    .filter(({ publishedAt, visibility }) => READABLE.has(visibility) && new Date(publishedAt) >= publishedAfter)
    .map(({ id }) => id)
    .toSorted();
  if (stored.length === 0 || stored.join() !== published.join()) {
    throw new Error(`${account.name} has ${stored.length} posts, and ${published.length} at the provider`);
  }
}
