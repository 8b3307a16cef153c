import { readFile } from "node:fs/promises";
import { eventually } from "../../packages/testkit/src/index.ts";
import type { Application, LinkedAccount } from "./application.ts";
import type { Deployment } from "./deployment.ts";
import type { Machine } from "./machine.ts";
import type { Pages } from "./pages.ts";
import type { PanelAdmin } from "./panel.ts";

/** What `replay` ends with while workers have to erase. */
const PENDING = 3;
const RELOAD_MS = 120_000;
const REMOVED_ADMIN = "former@example.com";

/** The steps of docs/how-to/rotate-keys.md. */
export async function rotateApplicationKey(admin: PanelAdmin, application: Application): Promise<void> {
  const old = application.secrets.key;
  application.secrets.key = await admin.issueKey("Rotate the key");
  await application.client.readiness();
  await admin.revokeKey(old);
  await application.client.readiness();
  const refused = await application
    .as(old)
    .readiness()
    .catch((error: { code?: string }) => error.code);
  if (refused !== "UNAUTHENTICATED") throw new Error("the revoked key is accepted");
}

/** The steps of docs/operations/encryption-keys.md, with a rolling restart after each change, while an account is read. */
export async function rotateEncryption(
  pages: Pages,
  deployment: Deployment,
  application: Application,
  account: LinkedAccount,
): Promise<string> {
  const { terminal } = deployment;
  const { sent, refused } = await application.readDuring(account, async () => {
    for (const block of ["append-key", "first-key"]) {
      await terminal.run(pages.block(block));
      await deployment.restart();
    }
    await terminal.run(pages.block("rotate-encryption"));
  });
  await terminal.run(pages.block("remove-key"));
  return `rotated the encryption key: each process was restarted twice, and no call failed: ${sent} requests, of which the proxy refused ${refused}`;
}

/**
 * Two api processes with `PROCESSES=auto`, on so many cores, are reloaded as the unit of `deploy/systemd` does it, while an account is
 * read.
 */
export async function reloadOn(
  cores: number,
  deployment: Deployment,
  { apis }: Machine,
  application: Application,
  account: LinkedAccount,
): Promise<string> {
  const list = Array.from({ length: cores }, (_, core) => core).join(",");
  await deployment.replace("api", `taskset --cpu-list ${list} env PROCESSES=auto `);
  const { sent, refused } = await application.readDuring(account, async () => {
    for (const port of apis) {
      const pid = deployment.signal(port, 0);
      // Before the signal, after which the list soon has the new processes too.
      const before = await childrenOf(pid);
      if (before.length !== cores) throw new Error(`${before.length} processes run on ${cores} cores`);
      deployment.signal(port, "SIGUSR2");
      await eventually(async () => {
        const left = (await childrenOf(pid)).filter((child) => before.includes(child));
        if (left.length > 0) throw new Error(`not replaced: ${left.join(", ")}`);
      }, RELOAD_MS);
      deployment.signal(port, 0);
    }
  });
  await deployment.replace("api", "");
  return `reloaded PROCESSES=auto on ${cores} of the cores without a failed call: ${sent} requests, of which the proxy refused ${refused}`;
}

async function childrenOf(pid: number): Promise<readonly string[]> {
  return (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).split(" ").filter(Boolean);
}

/** The steps of docs/operations/backup.md. Between the backup and the restore one account is erased and one admin removed. */
export async function restoreBackup(
  pages: Pages,
  deployment: Deployment,
  application: Application,
  [erased, ...others]: readonly [LinkedAccount, ...LinkedAccount[]],
): Promise<string> {
  const { terminal } = deployment;
  const posts = await Promise.all(others.map((account) => application.read(account)));
  await terminal.run(`social-connect admin add ${REMOVED_ADMIN}`);
  await terminal.run(pages.block("dump"));
  await terminal.run(`social-connect admin remove ${REMOVED_ADMIN}`);
  const receipts = await application.disconnect(erased);
  await deployment.stop("api", "worker");
  await terminal.run(pages.block("restore-export"));
  await terminal.run(pages.block("restore-dump"));
  const addresses = await terminal.run(pages.block("restore-url"));
  if (addresses.match(/\/restored\b/g)?.length !== 3) throw new Error(`a URL leads elsewhere:\n${addresses}`);
  await terminal.run(pages.block("restore-migrate"));
  await terminal.run(pages.block("restore-dry-run"));
  await terminal.run(pages.block("restore-replay"), { code: PENDING });
  const lists = await terminal.run(pages.block("restore-lists"));
  if (!lists.includes(REMOVED_ADMIN)) throw new Error(`the list of admins is not of the restored database:\n${lists}`);
  await terminal.run(`social-connect admin remove ${REMOVED_ADMIN}`);
  await terminal.run(pages.block("restore-doctor"));
  await deployment.start("worker");
  await terminal.run(pages.block("restore-wait"));
  await deployment.start("api");
  const { items } = await erased.subject.connections().page();
  if (items.length > 0) throw new Error("the restored database has the erased account");
  const restored = await Promise.all(others.map((account) => application.read(account)));
  if (restored.join() !== posts.join()) throw new Error(`read ${restored} posts after the restore, before it ${posts}`);
  const ends = await Promise.all(others.map((account) => application.disconnect(account)));
  return `restored a backup without the account that was ${receipts} since; disconnected the others: ${ends.join(", ")}`;
}
