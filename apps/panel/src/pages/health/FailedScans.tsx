import type { HealthQuery } from "../../_generated/health.ts";
import { ConnectionCount } from "../../ui/ConnectionCount.tsx";
import { describeJobError } from "../../ui/codeDescriptions.ts";
import { connectionsSearch } from "../../ui/connectionsSearch.ts";
import { type Column, DataTable } from "../../ui/DataTable.tsx";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { Section } from "../../ui/Section.tsx";
import { Outcome } from "./Outcome.tsx";

type Row = HealthQuery["overview"]["failedScans"][number];

export function FailedScans({ counts }: { readonly counts: readonly Row[] }) {
  if (counts.length === 0) return null;
  return (
    <Section title="Failed scans" description="Connections whose latest scan failed, by provider and code.">
      <DataTable
        caption="Connections by provider and code of the latest scan"
        columns={COLUMNS}
        rows={counts}
        rowKey={({ provider, errorCode }) => `${provider} ${errorCode}`}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { header: "Provider", cell: ({ provider }) => <strong>{PROVIDER_NAMES[provider]}</strong> },
  { header: "Code", cell: ({ errorCode }) => <Outcome code={errorCode} meaning={describeJobError} /> },
  {
    header: "Connections",
    isNumber: true,
    sortBy: ({ count }) => count,
    cell: ({ provider, errorCode, count }) => (
      <ConnectionCount count={count} of={connectionsSearch({ provider, code: errorCode })} />
    ),
  },
];
