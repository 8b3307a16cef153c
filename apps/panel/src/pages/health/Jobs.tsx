import { Text } from "@mantine/core";
import type { JobStatus } from "@social-connect/contract";
import type { HealthQuery, JobKind } from "../../_generated/health.ts";
import type { Column } from "../../ui/DataTable.tsx";
import { DataTable } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { Section } from "../../ui/Section.tsx";
import type { Tone } from "../../ui/StatusBadge.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { describeJobError } from "./codeDescriptions.ts";
import { Outcome } from "./Outcome.tsx";

type Row = HealthQuery["overview"]["jobs"][number];

const KIND_NAMES: Readonly<Record<JobKind, string>> = {
  SCAN: "Scan",
  METRICS: "Numbers of a post",
  LOOKUP: "Post by its address",
  PROFILE: "Profile",
  RECHECK: "Re-check",
  REVOKE: "Revoke",
  ERASE: "Erase",
};

const STATES: Readonly<Record<JobStatus, { readonly label: string; readonly tone: Tone }>> = {
  QUEUED: { label: "Queued", tone: "idle" },
  RUNNING: { label: "Running", tone: "idle" },
  SUCCEEDED: { label: "Succeeded", tone: "good" },
  FAILED: { label: "Failed", tone: "bad" },
  CANCELED: { label: "Canceled", tone: "idle" },
};

export function Jobs({ counts }: { readonly counts: readonly Row[] }) {
  return (
    <Section title="Jobs" description="Begun in the last 24 hours, by provider, kind and how they stand.">
      {counts.length === 0 ? (
        <EmptyState title="No job was begun in the last 24 hours" />
      ) : (
        <DataTable
          caption="Jobs by provider, kind, status and code"
          columns={COLUMNS}
          rows={counts}
          rowKey={({ provider, kind, status, errorCode }) => `${provider} ${kind} ${status} ${errorCode}`}
        />
      )}
    </Section>
  );
}

/** A failure that nobody has to mend is not shown as one. */
function stateOf({ status, errorCode }: Row): { readonly label: string; readonly tone: Tone } {
  const isMeantTo = status === "FAILED" && errorCode !== null && describeJobError(errorCode).concerns === "nobody";
  return isMeantTo ? { ...STATES.FAILED, tone: "idle" } : STATES[status];
}

const COLUMNS: readonly Column<Row>[] = [
  {
    header: "Job",
    isRowHeader: true,
    cell: ({ provider, kind }) => (
      <>
        <Text size="sm" fw={600}>
          {KIND_NAMES[kind]}
        </Text>
        <Text size="sm" c="dimmed">
          {PROVIDER_NAMES[provider]}
        </Text>
      </>
    ),
  },
  {
    header: "Status",
    cell: (row) => {
      const { label, tone } = stateOf(row);
      return <StatusBadge tone={tone}>{label}</StatusBadge>;
    },
  },
  { header: "Code", cell: ({ errorCode }) => <Outcome code={errorCode} meaning={describeJobError} /> },
  {
    header: "Jobs",
    cell: ({ count, waitingToRetry }) => (
      <>
        {count.toLocaleString("en")}
        {waitingToRetry > 0 && (
          <Text size="sm" c="dimmed">
            {waitingToRetry.toLocaleString("en")} wait for another try
          </Text>
        )}
      </>
    ),
  },
];
