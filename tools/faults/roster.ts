import { openAccount } from "../../packages/testkit/src/harness/deployment.ts";
import type { Facts } from "./facts.ts";
import type { Journey } from "./plan.ts";

/** The accounts that a journey may connect, by name; no other journey uses them. */
export function accountsOf({
  id,
  kind,
  script,
}: Journey): readonly { readonly name: string; readonly script: string | null }[] {
  switch (kind) {
    case "link":
    case "abandon":
    case "burst":
    case "person":
      return [{ name: `account-${id}-a`, script }];
    case "siblings":
      return ["a", "b"].map((letter) => ({ name: `account-${id}-${letter}`, script }));
    default:
      return [];
  }
}

/** Opens the accounts of journeys at the simulator, and puts them on both applications' lists of testers. */
export async function openAccounts(
  journeys: readonly Journey[],
  deployment: Parameters<typeof openAccount>[0],
  facts: Facts,
): Promise<void> {
  for (const journey of journeys) {
    const { id: person, provider } = journey;
    for (const { name, script } of accountsOf(journey)) {
      const account = { provider, name, person, ...(script !== null && { script }) };
      const accountId = await openAccount(deployment, account);
      facts.accounts.set(name, { name, provider, accountId, person, script, endedByPerson: false });
    }
  }
}
