import { setTimeout } from "node:timers/promises";
import type { DevFile } from "../../apps/server/src/dev/devFile.ts";
import { goThroughConsent } from "../../examples/demo/src/browser.ts";

const CREATE = `mutation ($input: ConnectInput!) {
  createConnectSession(input: $input) { launchUrl launchToken }
}`;

const LIST = `query ($scope: SubjectScope!) { connections(scope: $scope) { items { status syncStatus } } }`;
const SUBJECT = "user-mara";
const READ_TIMEOUT_MS = 90_000;
const REQUEST_TIMEOUT_MS = 15_000;
const PAUSE_MS = 500;

interface ConnectionList {
  readonly data?: { readonly connections?: { readonly items: readonly { status: string; syncStatus: string }[] } };
}

/** What a backend needs for its calls. */
type Consumer = Pick<DevFile["consumer"], "baseUrl" | "key" | "returnUrl"> & { readonly tenantKeys: readonly string[] };

/** Links an account for one of the example's people, as they would in a browser, so that there is something to read. */
export async function linkAccount({ consumer }: { readonly consumer: Consumer }): Promise<void> {
  const { tenantKeys, returnUrl } = consumer;
  const scope = { tenantKey: tenantKeys[0], externalSubjectId: SUBJECT };
  const capabilities = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"];
  const input = { scope, provider: "PROVIDER_A", capabilities, returnUrl };
  const { data } = JSON.parse((await post(consumer, CREATE, { input })).body) as {
    readonly data?: { readonly createConnectSession?: { readonly launchUrl: string; readonly launchToken: string } };
  };
  const session = data?.createConnectSession;
  if (session === undefined) throw new Error("the packed service begins no attempt to connect");
  const back = await goThroughConsent(session.launchUrl, session.launchToken, returnUrl);
  const status = back.searchParams.get("ss_status");
  if (status !== "COMPLETED") throw new Error(`the attempt at the packed service ended ${status}`);
}

/** Waits until a worker has read the posts of the linked account. */
export async function untilRead(consumer: Consumer): Promise<void> {
  const deadline = AbortSignal.timeout(READ_TIMEOUT_MS);
  for (;;) {
    const { status, body } = await listConnections(consumer);
    const [connection] = (JSON.parse(body) as ConnectionList).data?.connections?.items ?? [];
    if (connection?.status === "CONNECTED" && connection.syncStatus === "READY") return;
    if (deadline.aborted) throw new Error(`the account has no posts yet: ${status} ${body}`);
    await setTimeout(PAUSE_MS);
  }
}

export function listConnections(consumer: Consumer): Promise<{ status: number; body: string }> {
  const scope = { tenantKey: consumer.tenantKeys[0], externalSubjectId: SUBJECT };
  return post(consumer, LIST, { scope });
}

async function post({ baseUrl, key }: Consumer, query: string, variables: object) {
  const response = await fetch(`${baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  return { status: response.status, body: await response.text() };
}
