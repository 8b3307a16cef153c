import type { Application } from "../../packages/conformance/src/target/target.ts";
import type { SocialProvider } from "../../packages/contract/src/index.ts";
import { providerSlug } from "../../packages/domain/src/index.ts";
import { control, type SimulatedAccount, type SimulatedGrant } from "../../packages/testkit/src/simulatorControl.ts";
import type { Deployment } from "../deployment/deployment.ts";

/** An account to open at a simulated provider. */
export interface NewAccount {
  readonly provider: SocialProvider;
  readonly name: string;
}

/** A person opens an account, and the admin adds it to the testers of the application. */
export async function openAccount(
  { operator, simulatorUrl }: Pick<Deployment, "operator" | "simulatorUrl">,
  application: Application,
  { provider, name }: NewAccount,
): Promise<void> {
  const account = { provider: providerSlug(provider), name };
  const { accountId } = await control<SimulatedAccount>(simulatorUrl, "POST", "/accounts", account);
  await operator.addTesters?.(application, [{ provider, account: name, accountId }]);
}

/** The grants of an account, as the provider has them. */
export async function grantsOf(
  simulatorUrl: string,
  { provider, name }: NewAccount,
): Promise<readonly SimulatedGrant[]> {
  const path = `/accounts/${providerSlug(provider)}/${name}`;
  return (await control<SimulatedAccount>(simulatorUrl, "GET", path)).grants;
}
