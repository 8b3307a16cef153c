import type { Application, TesterAccount } from "../../packages/conformance/src/target/target.ts";
import type { SocialProvider } from "../../packages/contract/src/index.ts";
import { providerSlug } from "../../packages/domain/src/index.ts";
import { control, type SimulatedAccount, type SimulatedGrant } from "../../packages/testkit/src/simulatorControl.ts";
import type { Deployment } from "../deployment/deployment.ts";

/** An account to open at a simulated provider. */
export interface NewAccount {
  readonly provider: SocialProvider;
  readonly name: string;
  /** Accounts of one person share it. */
  readonly person?: string;
  /** What the account does at the simulator; null: it behaves well. */
  readonly script?: string | null;
}

/** People open accounts, and the admin adds them to the testers of applications. Gives the provider's ids. */
export async function openAccounts(
  { operator, simulatorUrl }: Pick<Deployment, "operator" | "simulatorUrl">,
  applications: readonly Application[],
  accounts: readonly NewAccount[],
): Promise<readonly string[]> {
  const testers: TesterAccount[] = [];
  for (const { provider, name: account, person, script } of accounts) {
    const opened = { provider: providerSlug(provider), name: account, person, ...(script && { script }) };
    const { accountId } = await control<SimulatedAccount>(simulatorUrl, "POST", "/accounts", opened);
    testers.push({ provider, account, accountId });
  }
  for (const application of applications) await operator.addTesters?.(application, testers);
  return testers.map(({ accountId }) => accountId);
}

/** The grants of an account, as the provider has them. */
export async function grantsOf(
  simulatorUrl: string,
  { provider, name }: NewAccount,
): Promise<readonly SimulatedGrant[]> {
  const path = `/accounts/${providerSlug(provider)}/${name}`;
  return (await control<SimulatedAccount>(simulatorUrl, "GET", path)).grants;
}
