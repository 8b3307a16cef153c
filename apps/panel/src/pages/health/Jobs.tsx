import { Text } from "@mantine/core";
import type { HealthQuery } from "../../_generated/health.ts";
import { describeJobError, describeWaitReason } from "../../ui/codeDescriptions.ts";
import { type Column, DataTable } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { Section } from "../../ui/Section.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { TwoLines } from "../../ui/TwoLines.tsx";
import { JOB_KIND_NAMES, jobState } from "./labels.ts";
import { Outcome } from "./Outcome.tsx";

type Row = HealthQuery["overview"]["jobs"][number];

export function Jobs({ counts }: { readonly counts: readonly Row[] }) {
  return (
    <Section
      title="Jobs"
      description="Created in the last 24 hours, by provider, kind and status. A connection has many jobs."
    >
      <DataTable
        caption="Jobs by provider, kind, status, code and wait reason"
        columns={COLUMNS}
        rows={counts}
        rowKey={({ provider, kind, status, errorCode, waitReason }) =>
          `${provider} ${kind} ${status} ${errorCode} ${waitReason}`
        }
        empty={<EmptyState title="No jobs in the last 24 hours" />}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    header: "Job",
    sortBy: ({ provider, kind }) => `${JOB_KIND_NAMES[kind]} ${provider}`,
    cell: ({ provider, kind }) => <TwoLines name={JOB_KIND_NAMES[kind]} detail={PROVIDER_NAMES[provider]} />,
  },
  { header: "Status", cell: ({ status, errorCode }) => <StatusBadge {...jobState(status, errorCode)} /> },
  {
    header: "Reason",
    cell: ({ errorCode, waitReason }) => (
      <>
        <Outcome code={errorCode} meaning={describeJobError} />
        {waitReason !== null && (
          <Text size="sm" c="dimmed" title={waitReason}>
            Waits until: {describeWaitReason(waitReason).text}
          </Text>
        )}
      </>
    ),
  },
  {
    header: "Jobs",
    isNumber: true,
    sortBy: ({ count }) => count,
    cell: ({ count, waitingToRetry }) => (
      <>
        {count.toLocaleString("en")}
        {waitingToRetry > 0 && (
          <Text size="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
            {waitingToRetry.toLocaleString("en")} waiting for a retry
          </Text>
        )}
      </>
    ),
  },
];
