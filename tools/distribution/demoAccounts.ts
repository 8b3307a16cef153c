import { setTimeout } from "node:timers/promises";
import { giveConsent } from "../../apps/simulator/src/index.ts";
import { CAPABILITIES } from "../../packages/contract/src/index.ts";
import { providerSlug } from "../../packages/domain/src/index.ts";
import { runStatement } from "../../packages/testkit/src/database.ts";
import type { Answer, Client } from "../faults/client.ts";
import { control, type SimulatedAccount } from "../faults/control.ts";
import type { Scope } from "../faults/facts.ts";
import { CONNECTION, CONTENT, CREATE_SESSION, DISCONNECT, JOB, REFRESH, SESSION_RESULT } from "../faults/operations.ts";

const PROVIDER = "PROVIDER_B";
const POLL_MS = 100;
const PATIENCE_MS = 60_000;

/** A connected account of the simulator. */
export interface DemoAccount {
  readonly application: Scope["application"];
  readonly scope: { readonly tenantKey: string; readonly externalSubjectId: string };
  readonly accountId: string;
  readonly connectionId: string;
}

/** Opens an account at the simulator and connects it, as a user does in a browser. Waits until its posts are stored. */
export async function connectAccount(
  client: Client,
  { simulatorUrl, databaseUrl }: { readonly simulatorUrl: string; readonly databaseUrl: string },
  application: Scope["application"],
  name: string,
): Promise<DemoAccount> {
  const { accountId } = await control<SimulatedAccount>(simulatorUrl, "POST", "/accounts", {
    provider: providerSlug(PROVIDER),
    name,
    person: name,
  });
  await runStatement(
    databaseUrl,
    `INSERT INTO tester (application_id, provider, provider_account_id)
     SELECT id, $1::social_provider, $2 FROM application ON CONFLICT DO NOTHING`,
    [PROVIDER, accountId],
  );
  const { returnUrl, tenantKeys } = client.applications[application];
  const scope = { tenantKey: tenantKeys[0] ?? "", externalSubjectId: crypto.randomUUID() };
  const input = { scope, provider: PROVIDER, capabilities: CAPABILITIES, returnUrl };
  const { createConnectSession: session } = data(
    await client.call<{ createConnectSession: Record<"id" | "launchUrl" | "launchToken", string> }>(
      application,
      "create a session",
      CREATE_SESSION,
      { input },
    ),
  );
  const launched = await client.launch(application, session.launchUrl, session.launchToken);
  if (launched?.location == null) throw new Error(`The launch of ${name} failed.`);
  await client.comeBack(await giveConsent(launched.location, { account: name }), launched.cookie);
  const { connectSessionResult: result } = data(
    await client.call<{ connectSessionResult: { connectionId: string | null; status: string } }>(
      application,
      "read the result",
      SESSION_RESULT,
      { scope, id: session.id },
    ),
  );
  if (result.connectionId === null) throw new Error(`The connect of ${name} ended as ${result.status}.`);
  const account = { application, scope, accountId, connectionId: result.connectionId };
  await until(async () => {
    const ended = await runStatement(
      databaseUrl,
      "SELECT 1 FROM job WHERE connection_id = $1 AND kind = 'SCAN' AND status = 'SUCCEEDED'",
      [account.connectionId],
    );
    return ended.length > 0;
  });
  return account;
}

/** The calls of a caller that shows an account: its connection and its posts. */
export function readsOf(client: Client, { application, scope, connectionId }: DemoAccount): Promise<Answer<unknown>>[] {
  const dayMs = 86_400_000;
  const publishedBefore = new Date().toISOString();
  const publishedAfter = new Date(Date.now() - 60 * dayMs).toISOString();
  const window = { publishedAfter, publishedBefore, first: 20 };
  return [
    client.call(application, "read the connection", CONNECTION, { scope, id: connectionId }),
    client.call(application, "read posts", CONTENT, { scope, connectionId, window }),
  ];
}

/** Requests a scan. */
export function refresh(
  client: Client,
  { application, scope, connectionId }: DemoAccount,
): Promise<Answer<{ readonly requestRefresh: { readonly id: string } }>> {
  return client.call(application, "request a scan", REFRESH, { scope, connectionId });
}

/** Disconnects an account and waits until it is erased. */
export async function erase(client: Client, account: DemoAccount): Promise<void> {
  const { application, scope, connectionId } = account;
  const { disconnectConnection: receipt } = data(
    await client.call<{ disconnectConnection: { eraseJobId: string } }>(application, "disconnect", DISCONNECT, {
      scope,
      connectionId,
    }),
  );
  await until(async () => {
    const answer = await client.call<{ syncJob: { status: string } }>(application, "read the receipt", JOB, {
      scope,
      connectionId,
      id: receipt.eraseJobId,
    });
    return data(answer).syncJob.status === "SUCCEEDED";
  });
}

function data<Data>(answer: Answer<Data>): Data {
  if (answer.kind === "acknowledged") return answer.data;
  throw new Error(answer.kind === "refused" ? `A call was refused: ${answer.code}` : "A call was not answered.");
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
    if (await isTrue()) return;
    await setTimeout(POLL_MS);
  }
  throw new Error("A state was not reached in a minute.");
}
