import type { SocialProvider } from "@social-connect/contract";
import { aboutClient } from "../audit/about.ts";
import type { AuditRecord } from "../audit/auditRecord.ts";
import { type AuditedChange, auditedChange, isRefusal } from "../decisions/change.ts";
import { type AdminRefusal, conflict, notFound } from "../decisions/refusal.ts";
import { providerName } from "../providers/providerTraits.ts";
import type { Client } from "./client.ts";

/** An account that may connect in sandbox mode, by the provider's own id. */
export interface TesterAccount {
  readonly provider: SocialProvider;
  readonly providerAccountId: string;
}

export interface TesterFacts {
  readonly client: Pick<Client, "id" | "slug"> | null;
  /** The client's testers at the account's provider. */
  readonly testers: readonly TesterAccount[];
}

export function decideAddTester(facts: TesterFacts, account: TesterAccount): TesterDecision {
  return decideTester(facts, account, (client, isTester) =>
    isTester
      ? conflict("ALREADY_PRESENT", "This account is already a tester.")
      : aboutClient(client, "Tester added", `Added a tester account at ${providerName(account.provider)}.`),
  );
}

/** The account's connections stay; it cannot connect again. */
export function decideRemoveTester(facts: TesterFacts, account: TesterAccount): TesterDecision {
  return decideTester(facts, account, (client, isTester) =>
    isTester
      ? aboutClient(client, "Tester removed", `Removed a tester account at ${providerName(account.provider)}.`)
      : notFound("The tester"),
  );
}

type TesterDecision = AdminRefusal | AuditedChange<TesterAccount>;

function decideTester(
  { client, testers }: TesterFacts,
  { provider, providerAccountId }: TesterAccount,
  decide: (client: Pick<Client, "id" | "slug">, isTester: boolean) => AdminRefusal | AuditRecord,
): TesterDecision {
  if (client === null) return notFound("The client");
  const isTester = testers.some((one) => one.provider === provider && one.providerAccountId === providerAccountId);
  const audit = decide(client, isTester);
  return isRefusal(audit) ? audit : auditedChange({ provider, providerAccountId }, audit);
}
