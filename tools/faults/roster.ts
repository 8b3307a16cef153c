import type { Pool } from "pg";
import { providerSlug } from "../../packages/domain/src/index.ts";
import { control, type SimulatedAccount } from "./control.ts";
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
  { simulatorUrl, pool, facts }: { readonly simulatorUrl: string; readonly pool: Pool; readonly facts: Facts },
): Promise<void> {
  for (const journey of journeys) {
    for (const { name, script } of accountsOf(journey)) {
      const opened = await control<SimulatedAccount>(simulatorUrl, "POST", "/accounts", {
        provider: providerSlug(journey.provider),
        name,
        person: journey.id,
        ...(script !== null && { script }),
      });
      const { accountId } = opened;
      facts.accounts.set(name, {
        ...{ name, provider: journey.provider, accountId, script },
        ...{ person: journey.id, endedByPerson: false },
      });
      await pool.query(
        `INSERT INTO tester (application_id, provider, provider_account_id)
         SELECT id, $1::social_provider, $2 FROM application ON CONFLICT DO NOTHING`,
        [journey.provider, accountId],
      );
    }
  }
}
