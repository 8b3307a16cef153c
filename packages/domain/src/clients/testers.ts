import type { SocialProvider } from "@social-connect/contract";
import { aboutClient } from "../audit/about.ts";
import type { AuditRecord } from "../audit/auditRecord.ts";
import { changesOf } from "../audit/changes.ts";
import { type Touched, touchedChanges } from "../audit/touched.ts";
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
  /** What a removal touches. */
  readonly touched?: Touched;
}

export function decideAddTester(facts: TesterFacts, account: TesterAccount): TesterDecision {
  return decideTester(facts, account, (client, isTester) =>
    isTester
      ? conflict("ALREADY_PRESENT", "This account is already a tester.")
      : audited(client, "Tester added", facts, account, 1),
  );
}

/** The account's connections stay; it cannot connect again. */
export function decideRemoveTester(facts: TesterFacts, account: TesterAccount): TesterDecision {
  return decideTester(facts, account, (client, isTester) =>
    isTester ? audited(client, "Tester removed", facts, account, -1) : notFound("The tester"),
  );
}

/** Counts the testers at the provider: an account's id identifies a person, whose erasure the entry outlives. */
function audited(
  client: Pick<Client, "id" | "slug">,
  action: "Tester added" | "Tester removed",
  { testers, touched = {} }: TesterFacts,
  { provider }: TesterAccount,
  difference: 1 | -1,
): AuditRecord {
  const count = testers.filter((one) => one.provider === provider).length;
  const summary = `${action === "Tester added" ? "Added" : "Removed"} a tester account at ${providerName(provider)}.`;
  const counts = changesOf({ testers: { [provider]: count } }, { testers: { [provider]: count + difference } });
  return aboutClient(client, action, summary, [...counts, ...touchedChanges(touched)]);
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
