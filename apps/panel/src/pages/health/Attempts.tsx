import { Text } from "@mantine/core";
import type { ConnectSessionStatus } from "@social-connect/contract";
import type { HealthQuery } from "../../_generated/health.ts";
import type { Column } from "../../ui/DataTable.tsx";
import { DataTable } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { Section } from "../../ui/Section.tsx";
import type { Status } from "../../ui/StatusBadge.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { describeConnectResult } from "./codeDescriptions.ts";
import { Outcome } from "./Outcome.tsx";

type Row = HealthQuery["overview"]["connectAttempts"][number];

const STATES: Readonly<Record<ConnectSessionStatus, Status>> = {
  CREATED: { label: "Created", tone: "idle" },
  AUTHORIZING: { label: "At the provider", tone: "idle" },
  EXCHANGING: { label: "Exchanging code", tone: "idle" },
  COMPLETED: { label: "Completed", tone: "good" },
  DENIED: { label: "Denied", tone: "idle" },
  FAILED: { label: "Failed", tone: "bad" },
  EXPIRED: { label: "Expired", tone: "idle" },
  CANCELED: { label: "Canceled", tone: "idle" },
};

export function Attempts({ counts }: { readonly counts: readonly Row[] }) {
  return (
    <Section title="Connect attempts" description="Of the last 24 hours, by provider and result.">
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
    isRowHeader: true,
    cell: ({ provider }) => (
      <Text size="sm" fw={600}>
        {PROVIDER_NAMES[provider]}
      </Text>
    ),
  },
  { header: "Status", cell: ({ status }) => <StatusBadge {...STATES[status]} /> },
  { header: "Code", cell: ({ resultCode }) => <Outcome code={resultCode} meaning={describeConnectResult} /> },
  { header: "Attempts", cell: ({ count }) => count.toLocaleString("en") },
];
