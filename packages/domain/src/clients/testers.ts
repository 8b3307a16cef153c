import type { SocialProvider } from "@social-connect/contract";
import type { AuditAction } from "../audit/auditActions.ts";
import type { AuditedChange } from "../decisions/change.ts";
import type { AdminRefusal } from "../decisions/refusal.ts";
import { conflict, notFound, refuseField } from "../decisions/refusal.ts";
import { checkText } from "../text/text.ts";
import type { Client } from "./client.ts";
import { aboutClient } from "./client.ts";

/** An account that may connect in sandbox mode, by the provider's own id. */
export interface TesterAccount {
  readonly provider: SocialProvider;
  readonly providerAccountId: string;
}

export interface TesterFacts {
  readonly client: Pick<Client, "id" | "slug"> | null;
  readonly isTester: boolean;
}

const ACCOUNT_ID = { maxLength: 256 };

export function decideAddTester(facts: TesterFacts, account: TesterAccount): TesterDecision {
  const decision = decideTester(facts, account, "Tester added", `Added a tester account at ${account.provider}.`);
  return "patch" in decision && facts.isTester
    ? conflict("ALREADY_PRESENT", "This account is already a tester.")
    : decision;
}

/** The account's connections stay; it cannot connect again. */
export function decideRemoveTester(facts: TesterFacts, account: TesterAccount): TesterDecision {
  const decision = decideTester(facts, account, "Tester removed", `Removed a tester account at ${account.provider}.`);
  return "patch" in decision && !facts.isTester ? notFound("The tester") : decision;
}

type TesterDecision = AdminRefusal | AuditedChange<TesterAccount>;

function decideTester(
  { client }: TesterFacts,
  { provider, providerAccountId }: TesterAccount,
  action: AuditAction,
  summary: string,
): TesterDecision {
  const refusal = refuseField("providerAccountId", checkText(providerAccountId, "providerAccountId", ACCOUNT_ID));
  if (refusal !== null) return refusal;
  if (client === null) return notFound("The client");
  return { patch: { provider, providerAccountId }, followUps: [], audit: aboutClient(client, { action, summary }) };
}
