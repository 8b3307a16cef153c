import { goThroughConsent } from "../../examples/demo/src/browser.ts";
import type { DevFile } from "./packedServer.ts";

const CREATE = `mutation ($input: ConnectInput!) {
  createConnectSession(input: $input) { launchUrl launchToken }
}`;

/** Links an account for one of the example's people, as they would in a browser, so that there is something to read. */
export async function linkAccount({ consumer }: DevFile): Promise<void> {
  const { baseUrl, key, tenantKeys, returnUrl } = consumer;
  const scope = { tenantKey: tenantKeys[0], externalSubjectId: "user-mara" };
  const capabilities = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"];
  const response = await fetch(`${baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({
      query: CREATE,
      variables: { input: { scope, provider: "PROVIDER_A", capabilities, returnUrl } },
    }),
  });
  const { data } = (await response.json()) as {
    readonly data?: { readonly createConnectSession?: { readonly launchUrl: string; readonly launchToken: string } };
  };
  const session = data?.createConnectSession;
  if (session === undefined) throw new Error("the packed service begins no attempt to connect");
  const back = await goThroughConsent(session.launchUrl, session.launchToken, returnUrl);
  const status = back.searchParams.get("ss_status");
  if (status !== "COMPLETED") throw new Error(`the attempt at the packed service ended ${status}`);
}
