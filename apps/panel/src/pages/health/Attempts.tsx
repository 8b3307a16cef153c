import { Text } from "@mantine/core";
import type { HealthQuery } from "../../_generated/health.ts";
import { describeConnectResult } from "../../ui/codeDescriptions.ts";
import { type Column, DataTable } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { Section } from "../../ui/Section.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { ATTEMPT_STATES } from "./labels.ts";
import { Outcome } from "./Outcome.tsx";

type Row = HealthQuery["overview"]["connectAttempts"][number];

export function Attempts({ counts }: { readonly counts: readonly Row[] }) {
  return (
    <Section title="Connect attempts" description="The last 24 hours, by provider and result.">
      <DataTable
        caption="Attempts by provider, status and code"
        columns={COLUMNS}
        rows={counts}
        rowKey={({ provider, status, resultCode }) => `${provider} ${status} ${resultCode}`}
        empty={<EmptyState title="No connect attempts in the last 24 hours" />}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    header: "Provider",
    sortBy: ({ provider }) => PROVIDER_NAMES[provider],
    cell: ({ provider }) => (
      <Text size="sm" fw={600}>
        {PROVIDER_NAMES[provider]}
      </Text>
    ),
  },
  { header: "Status", cell: ({ status }) => <StatusBadge {...ATTEMPT_STATES[status]} /> },
  { header: "Code", cell: ({ resultCode }) => <Outcome code={resultCode} meaning={describeConnectResult} /> },
  { header: "Attempts", isNumber: true, sortBy: ({ count }) => count, cell: ({ count }) => count.toLocaleString("en") },
];
