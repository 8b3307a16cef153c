import { commandsOf } from "../../apps/server/src/faults/testing/pageLines.ts";
import type { Application, LinkedAccount } from "./application.ts";
import type { Deployment } from "./deployment.ts";
import type { Pages } from "./pages.ts";
import type { PanelAdmin } from "./panel.ts";

/** What `replay` ends with while workers have to erase. */
const PENDING = 3;

/** The steps of docs/how-to/rotate-keys.md. */
export async function rotateApplicationKey(admin: PanelAdmin, application: Application): Promise<void> {
  const old = application.key;
  application.key = await admin.issueKey("Rotate the key");
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

/** The steps of docs/operations/backup.md. One account is erased between the backup and the restore. */
export async function restoreBackup(
  pages: Pages,
  deployment: Deployment,
  application: Application,
  [erased, ...others]: readonly [LinkedAccount, ...LinkedAccount[]],
): Promise<string> {
  const { terminal } = deployment;
  const [exportLine = "", migrateLine = "", dryRunLine = "", replayLine = "", doctorLine = "", waitLine = ""] =
    await commandsOf("operations/backup.md", "Restore");
  const posts = await Promise.all(others.map((account) => application.read(account)));
  await terminal.run(pages.block("dump"));
  const receipts = await application.disconnect(erased);
  await deployment.stop();
  await terminal.run(exportLine);
  await terminal.run(pages.block("restore-dump"));
  await terminal.run(`DATABASE_URL_FILE=owner-url ${migrateLine}`);
  await terminal.run(dryRunLine);
  await terminal.run(replayLine, { code: PENDING });
  await terminal.run(doctorLine);
  await deployment.start("worker");
  await terminal.run(waitLine);
  await deployment.start("api");
  const { items } = await erased.subject.connections().page();
  if (items.length > 0) throw new Error("the restored database has the erased account");
  const restored = await Promise.all(others.map((account) => application.read(account)));
  if (restored.join() !== posts.join()) throw new Error(`read ${restored} posts after the restore, before it ${posts}`);
  const ends = await Promise.all(others.map((account) => application.disconnect(account)));
  return `restored a backup without the account that was ${receipts} since; disconnected the others: ${ends.join(", ")}`;
}
