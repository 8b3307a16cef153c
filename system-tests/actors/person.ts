import type { Operations } from "../../packages/conformance/src/_generated/consumerWire.ts";
import type { Application } from "../../packages/conformance/src/target/target.ts";
import { Browser } from "../../packages/conformance/src/wire/browser.ts";
import { ApiCaller } from "../../packages/conformance/src/wire/call.ts";
import { invoke, type OperationName } from "../../packages/conformance/src/wire/documents.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { NewAccount } from "./accounts.ts";

export type Launch = Pick<Operations["createConnectSession"]["answer"], "launchUrl" | "launchToken">;

/** One call of an application's backend; throws if it is refused. */
export async function callAs<Name extends OperationName>(
  application: Application,
  name: Name,
  args: unknown,
): Promise<Operations[Name]["answer"]> {
  const outcome = await invoke(new ApiCaller(application), name, args);
  if (!outcome.ok) throw new Error(`The service refused ${name}: ${outcome.message}`);
  return outcome.value;
}

/** Posts a launch form as the application's page does. */
export async function launch({ webOrigin }: Application, { launchUrl, launchToken }: Launch, send = fetch) {
  const browser = new Browser(undefined, send);
  const { location } = await browser.post(launchUrl, { launchToken }, webOrigin);
  return { location, cookie: browser.cookieHeader };
}

/** A person consents at the provider and comes back. */
export async function giveConsent(
  { provider }: Pick<Deployment, "provider">,
  application: Application,
  session: Launch,
  account: string,
  send = fetch,
): Promise<void> {
  const { location, cookie } = await launch(application, session, send);
  const back = await provider.consent(location?.href ?? "", { account });
  await send(back, { headers: { cookie }, redirect: "manual" });
}

/** A user of an application links an account. */
export async function linkAccount(
  deployment: Pick<Deployment, "provider">,
  application: Application,
  { provider, name }: NewAccount,
): Promise<void> {
  const scope = { tenantKey: application.tenantKeys[0], externalSubjectId: name };
  const input = { scope, provider, returnUrl: application.returnUrl, capabilities: ["PROFILE", "CONTENT_LIST"] };
  const session = await callAs(application, "createConnectSession", { input });
  await giveConsent(deployment, application, session, name);
}
