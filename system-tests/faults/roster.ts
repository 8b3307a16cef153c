import type { TesterAccount } from "../../packages/conformance/src/target/target.ts";
import { providerSlug } from "../../packages/domain/src/index.ts";
import { control, type SimulatedAccount } from "../../packages/testkit/src/simulatorControl.ts";
import type { Cluster } from "./cluster.ts";
import type { Journey, JourneyKind } from "./plan.ts";

const LETTERS: Partial<Record<JourneyKind, readonly string[]>> = {
  ...{ link: ["a"], abandon: ["a"], burst: ["a"], person: ["a"], siblings: ["a", "b"] },
};

/** The accounts that a journey may connect, by name; no other journey uses them. */
export function accountsOf({ id, kind, script }: Journey): readonly { name: string; script: string | null }[] {
  return (LETTERS[kind] ?? []).map((letter) => ({ name: `account-${id}-${letter}`, script }));
}

/** Opens the accounts of journeys at the simulator, and puts them on both applications' lists of testers. */
export async function openAccounts(
  journeys: readonly Journey[],
  { applications, deployment: { operator, simulatorUrl }, known }: Cluster,
): Promise<void> {
  const testers: TesterAccount[] = [];
  for (const journey of journeys) {
    const { id: person, provider } = journey;
    for (const { name, script } of accountsOf(journey)) {
      const account = { provider: providerSlug(provider), name, person, ...(script !== null && { script }) };
      const { accountId } = await control<SimulatedAccount>(simulatorUrl, "POST", "/accounts", account);
      testers.push({ provider, account: name, accountId });
      known.accounts.set(name, { name, provider, accountId, person, script, endedByPerson: false });
    }
  }
  for (const application of Object.values(applications)) await operator.addTesters?.(application, testers);
}
