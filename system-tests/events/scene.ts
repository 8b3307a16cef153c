import { runInPanel } from "../../packages/conformance/src/target/adminScript.ts";
import type { Application, OperatorDriver } from "../../packages/conformance/src/target/target.ts";
import { eventually } from "../../packages/testkit/src/index.ts";
import { type NewAccount, openAccounts } from "../actors/accounts.ts";
import { callAs, giveConsent } from "../actors/person.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { Receiver, ReceiverPath } from "./receiver.ts";

const LINKERS = 8;

/** Does the work for each item, some at the same time. */
export async function forEach<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<unknown>,
  workers = LINKERS,
): Promise<void> {
  const entries = items.entries();
  const run = async () => {
    for (const [index, item] of entries) await work(item, index);
  };
  await Promise.all(Array.from({ length: workers }, run));
}

/** An application whose backend receives all types of events, with accounts of one provider that its users have linked. */
export interface Backend {
  readonly application: Application;
  readonly clientId: string;
  readonly receiver: ReceiverPath;
  readonly accounts: readonly NewAccount[];
}

interface BackendOptions {
  readonly name: string;
  readonly accounts: number;
  readonly answer: ReceiverPath["answer"];
}

export async function openBackend(
  deployment: Deployment,
  receivers: Receiver,
  { name, accounts: count, answer }: BackendOptions,
): Promise<Backend> {
  const { operator, admin } = deployment;
  const application = await operator.createApplication();
  const clientId = await operator.clientId(application);
  const accounts = Array.from(
    { length: count },
    (_, index): NewAccount => ({ provider: "PROVIDER_C", name: `${name}-${index}` }),
  );
  const opened = { ...deployment, operator: { ...operator, addTesters: addPatiently(operator) } };
  await forEach(accounts, async (account) => {
    await openAccounts(opened, [application], [account]);
    await eventually(() => link(deployment, application, account));
  });
  const receiver = receivers.open(`/${name}`, answer);
  // Afterwards: an endpoint gets nothing from before.
  const url = `${receivers.url}/${name}`;
  receiver.secret = (await runInPanel(admin.panel, "addEventEndpoint", { clientId, url, types: [] })).secret;
  return { application, clientId, receiver, accounts };
}

/** On a busy machine, a change of the client can find its row locked for too long. */
function addPatiently({ addTesters }: OperatorDriver): NonNullable<OperatorDriver["addTesters"]> {
  return (application, testers) => eventually(async () => addTesters?.(application, testers));
}

/** A user links an account, of which only the profile is read. */
async function link(deployment: Deployment, application: Application, { provider, name }: NewAccount): Promise<void> {
  const scope = { tenantKey: application.tenantKeys[0], externalSubjectId: name };
  const input = { scope, provider, returnUrl: application.returnUrl, capabilities: ["PROFILE"] };
  const session = await callAs(application, "createConnectSession", { input });
  await giveConsent(deployment, application, session, name);
}
