import type { SocialProvider } from "@social-connect/contract";
import { aboutClient } from "../audit/about.ts";
import type { AuditRecord } from "../audit/auditRecord.ts";
import { changesOf, SECRET_CHANGED, SECRET_SET } from "../audit/changes.ts";
import { type Touched, touchedChanges } from "../audit/touched.ts";
import { type AuditedChange, auditedChange, isRefusal } from "../decisions/change.ts";
import { type AdminRefusal, conflict, notFound, type Refusal } from "../decisions/refusal.ts";
import { providerName } from "../providers/providerTraits.ts";
import { checkName } from "../text/text.ts";
import type { Client } from "./client.ts";

/** An account that may connect in sandbox mode, by the provider's own id. */
export interface TesterAccount {
  readonly provider: SocialProvider;
  readonly providerAccountId: string;
}

export interface Tester extends TesterAccount {
  /** What admins know the account by, such as whose it is. */
  readonly note: string | null;
}

/** A line in a list. This project's choice. */
export const TESTER_NOTE = { maxLength: 200 } as const;

export function checkTesterNote(note: string | null | undefined): Refusal | null {
  return note == null || note.trim() === "" ? null : checkName(note, "note", TESTER_NOTE);
}

export interface TesterFacts {
  readonly client: Pick<Client, "id" | "slug"> | null;
  /** The client's testers at the account's provider. */
  readonly testers: readonly NewTester[];
  /** What a removal touches. */
  readonly touched?: Touched;
}

export interface NewTester extends TesterAccount {
  readonly note?: string | null | undefined;
}

export function decideAddTester(facts: TesterFacts, { note, ...account }: NewTester): TesterDecision {
  return decideTester(facts, { ...account, note: storedNote(note) }, (client, isTester) =>
    isTester
      ? conflict("ALREADY_PRESENT", "This account is already a tester.")
      : audited(client, "Tester added", facts, account, 1),
  );
}

/** The account's connections stay; it cannot connect again. */
export function decideRemoveTester(facts: TesterFacts, account: TesterAccount): TesterDecision {
  return decideTester(facts, { ...account, note: null }, (client, isTester) =>
    isTester ? audited(client, "Tester removed", facts, account, -1) : notFound("The tester"),
  );
}

/** The audit entry does not have the note, which may name a person: the entry outlives the person's erasure. */
export function decideSetTesterNote(facts: TesterFacts, { note, ...account }: NewTester): TesterDecision {
  const { provider, providerAccountId } = account;
  const tester = { ...account, note: storedNote(note) };
  const before = facts.testers.find((one) => one.provider === provider && one.providerAccountId === providerAccountId);
  const isNoted = storedNote(before?.note) !== null;
  const change = changesOf(
    { note: { [provider]: isNoted ? SECRET_SET : null } },
    { note: { [provider]: tester.note === null ? null : isNoted ? SECRET_CHANGED : SECRET_SET } },
  );
  const summary = `${tester.note === null ? "Removed" : "Changed"} the note of a tester account at ${providerName(provider)}.`;
  return decideTester(facts, tester, (client, isTester) =>
    isTester ? aboutClient(client, "Tester note changed", summary, change) : notFound("The tester"),
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

function storedNote(note: string | null | undefined): string | null {
  return note?.trim() || null;
}

type TesterDecision = AdminRefusal | AuditedChange<Tester>;

function decideTester(
  { client, testers }: TesterFacts,
  tester: Tester,
  decide: (client: Pick<Client, "id" | "slug">, isTester: boolean) => AdminRefusal | AuditRecord,
): TesterDecision {
  if (client === null) return notFound("The client");
  const { provider, providerAccountId } = tester;
  const isTester = testers.some((one) => one.provider === provider && one.providerAccountId === providerAccountId);
  const audit = decide(client, isTester);
  return isRefusal(audit) ? audit : auditedChange(tester, audit);
}
