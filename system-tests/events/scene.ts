import { appendFile, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInPanel } from "../../packages/conformance/src/target/adminScript.ts";
import { eventually } from "../../packages/testkit/src/index.ts";
import { inLanes } from "../../tools/packages/lanes.ts";
import { type NewAccount, openAccounts } from "../actors/accounts.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { oldIntegration } from "../import/oldIntegration.ts";
import type { Receiver, ReceiverPath } from "./receiver.ts";

/** Accounts that are linked at the same time. */
export const LINKERS = 8;
const LONGEST_IMPORT_MS = 3_600_000;

export type Backend = Awaited<ReturnType<typeof openBackend>>;

interface BackendOptions {
  readonly name: string;
  readonly accounts: number;
  readonly answer: ReceiverPath["answer"];
}

/** An application whose backend receives all types of events, with accounts of one provider that it moved in with. */
export async function openBackend(
  deployment: Deployment,
  receivers: Receiver,
  { name, accounts: count, answer }: BackendOptions,
) {
  const { operator, admin } = deployment;
  const application = await operator.createApplication();
  const clientId = await operator.clientId(application);
  const accounts = Array.from(
    { length: count },
    (_, index): NewAccount => ({ provider: "PROVIDER_C", name: `${name}-${index}` }),
  );
  // On a busy machine, a change of the client can find its row locked, and an import leaves lines for later.
  const addTesters: typeof operator.addTesters = (...testers) =>
    eventually(async () => operator.addTesters?.(...testers));
  const opened = { ...deployment, operator: { ...operator, addTesters } };
  const consent = oldIntegration(deployment);
  const [client] = new URL(application.webOrigin).hostname.split(".");
  const user = { client, tenantKey: application.tenantKeys[0] };
  await using folder = await mkdtempDisposable(join(tmpdir(), "backend-"));
  const file = join(folder.path, "grants.ndjson");
  await inLanes(accounts, LINKERS, async (account) => {
    await openAccounts(opened, [application], [account]);
    const line = { ...user, externalSubjectId: account.name, provider: account.provider };
    await appendFile(file, `${JSON.stringify({ ...line, ...(await consent(account.provider, account.name)) })}\n`);
  });
  if (count > 0) await eventually(() => deployment.run("import", file, "--resume", "--share", "1"), LONGEST_IMPORT_MS);
  const receiver = receivers.open(`/${name}`, answer);
  // Afterwards: an endpoint gets nothing from before.
  const input = { clientId, url: `${receivers.url}/${name}`, types: [] };
  receiver.secret = (await runInPanel(admin.panel, "addEventEndpoint", input)).secret;
  return { application, clientId, receiver, accounts };
}
