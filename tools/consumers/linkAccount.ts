import { goThroughConsent } from "../../examples/demo/src/browser.ts";
import type { TargetFile } from "../../packages/conformance/src/target/devFile.ts";
import { ApiCaller, NO_NOTES } from "../../packages/conformance/src/wire/call.ts";
import { invoke } from "../../packages/conformance/src/wire/documents.ts";
import { eventually } from "../../packages/testkit/src/eventually.ts";

const SUBJECT = "user-mara";

/** What a backend needs for its calls. */
type Consumer = Pick<TargetFile["consumer"], "baseUrl" | "key" | "returnUrl" | "tenantKeys">;

/** Links an account for one of the example's people, as they would in a browser, so that there is something to read. */
export async function linkAccount({ consumer }: { readonly consumer: Consumer }): Promise<void> {
  const { returnUrl } = consumer;
  const capabilities = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"];
  const input = { scope: scopeOf(consumer), provider: "PROVIDER_A", capabilities, returnUrl };
  const session = await invoke(callerOf(consumer), "createConnectSession", { input });
  if (!session.ok) throw new Error(`the packed service begins no attempt to connect: ${session.message}`);
  const { launchUrl, launchToken } = session.value;
  const back = await goThroughConsent(launchUrl, launchToken, returnUrl);
  const status = back.searchParams.get("ss_status");
  if (status !== "COMPLETED") throw new Error(`the attempt at the packed service ended ${status}`);
}

/** Waits until a worker has read the posts of the linked account. */
export async function untilRead(consumer: Consumer): Promise<void> {
  await eventually(async () => {
    const { answer, ...listed } = await listConnections(consumer);
    const [connection] = listed.ok ? listed.value.items : [];
    if (connection?.status === "CONNECTED" && connection.syncStatus === "READY") return;
    throw new Error(`the account has no posts yet: ${answer.status} ${answer.text}`);
  });
}

export function listConnections(consumer: Consumer) {
  return invoke(callerOf(consumer), "connections", { scope: scopeOf(consumer), first: null });
}

function callerOf({ baseUrl, key }: Consumer): ApiCaller {
  return new ApiCaller({ baseUrl, key, notes: NO_NOTES });
}

function scopeOf({ tenantKeys }: Consumer) {
  return { tenantKey: tenantKeys[0], externalSubjectId: SUBJECT };
}
