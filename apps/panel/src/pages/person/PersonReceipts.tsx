import { Alert, Text } from "@mantine/core";
import type { PersonDetailFragment } from "../../_generated/person.ts";
import { plannedErasure } from "../../touched/touchedText.ts";
import { describeJobError } from "../../ui/codeDescriptions.ts";
import { type Column, DataTable } from "../../ui/DataTable.tsx";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { Section } from "../../ui/Section.tsx";
import { type Status, StatusBadge } from "../../ui/StatusBadge.tsx";
import { TwoLines } from "../../ui/TwoLines.tsx";
import type { Erased } from "./PersonActions.tsx";

type Receipt = PersonDetailFragment["receipts"][number];
type Deleted = readonly { readonly table: string; readonly rows: number }[];

/** The result for each account: whether the provider revoked the consent, and how many rows were erased. */
export function PersonReceipts({
  person,
  erased,
}: {
  readonly person: PersonDetailFragment;
  readonly erased: Erased | null;
}) {
  const total = sum([...person.receipts.flatMap(({ deleted }) => deleted), ...(erased?.deleted ?? [])]);
  return (
    <Section
      title="Receipts"
      description="Stored for 7 days. Export the user to keep them, with the deployment’s signature."
    >
      {erased !== null && erased.failed > 0 && (
        <Alert variant="light" color="yellow" mb="md" role="status" title="Not everything could be disconnected">
          <Text size="sm">An account is being connected now. Repeat the erasure in a minute.</Text>
        </Alert>
      )}
      <Text mb="md" role="status">
        {[
          total.length === 0 ? "No row is erased yet." : `Erased until now: ${describe(total)}.`,
          ...(erased === null ? [] : [plannedErasure(person.touchedByErasure), keptText(erased.keptTesters)]),
        ]
          .filter((sentence) => sentence !== null)
          .join(" ")}
      </Text>
      {person.receipts.length > 0 && (
        <DataTable
          caption="Receipts"
          columns={COLUMNS}
          rows={person.receipts}
          rowKey={({ connectionId }) => connectionId}
        />
      )}
    </Section>
  );
}

const COLUMNS: readonly Column<Receipt>[] = [
  {
    header: "Account",
    isLong: true,
    cell: ({ provider, connectionId }) => <TwoLines name={PROVIDER_NAMES[provider]} detail={connectionId} />,
  },
  { header: "Consent", cell: (receipt) => <Consent {...receipt} /> },
  {
    header: "Data",
    cell: ({ erase }) => <StatusBadge {...stateOf(erase, { done: "Erased", waiting: "Being erased" })} />,
  },
  { header: "Rows", cell: ({ deleted }) => (deleted.length === 0 ? "none yet" : describe(sum(deleted))) },
];

function Consent({ revoke, revokeError, userMustRemoveApp }: Receipt) {
  if (userMustRemoveApp)
    return (
      <TwoLines
        name={<StatusBadge label="Not revoked" tone="waiting" />}
        detail={`${revokeError === "REVOKE_REJECTED" ? "The provider rejected the revocation." : "This provider has no way to revoke it."} Ask the user to remove the app there.`}
      />
    );
  const state = stateOf(revoke, { done: "Revoked at the provider", waiting: "Being revoked" });
  return (
    <TwoLines
      name={<StatusBadge {...state} />}
      detail={revokeError === null ? null : describeJobError(revokeError).text}
    />
  );
}

function stateOf(status: Receipt["erase"], names: { readonly done: string; readonly waiting: string }): Status {
  // A receipt that is no longer stored had ended.
  if (status === null || status === "SUCCEEDED") return { label: names.done, tone: "good" };
  if (status === "FAILED" || status === "CANCELED") return { label: "Failed", tone: "bad" };
  return { label: names.waiting, tone: "waiting" };
}

const ROWS: Readonly<Record<string, readonly [string, string]>> = {
  connection: ["account", "accounts"],
  provider_grant: ["consent", "consents"],
  content_item: ["post", "posts"],
  job: ["job", "jobs"],
  connect_attempt: ["connect attempt", "connect attempts"],
  import_line: ["line of an import", "lines of imports"],
  tester: ["tester", "testers"],
  event: ["event", "events"],
};

function keptText(testers: number): string | null {
  if (testers === 0) return null;
  return testers === 1
    ? "1 tester entry stays: another person has linked the same account."
    : `${testers} tester entries stay: other persons have linked the same accounts.`;
}

function sum(deleted: Deleted): Deleted {
  const counts = new Map<string, number>();
  for (const { table, rows } of deleted) counts.set(table, (counts.get(table) ?? 0) + rows);
  return [...counts].filter(([, rows]) => rows > 0).map(([table, rows]) => ({ table, rows }));
}

function describe(deleted: Deleted): string {
  return deleted
    .map(({ table, rows }) => {
      const [one, many] = ROWS[table] ?? [table, table];
      return `${rows.toLocaleString("en")} ${rows === 1 ? one : many}`;
    })
    .join(", ");
}
