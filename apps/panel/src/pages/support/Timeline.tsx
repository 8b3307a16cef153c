import { Button, Text } from "@mantine/core";
import { RetryJobDocument, type SupportDetailFragment } from "../../_generated/support.ts";
import { requestChange } from "../../api/request.ts";
import { ConfirmDialog } from "../../forms/ConfirmDialog.tsx";
import { describeConnectResult, describeJobError, describeWaitReason } from "../../ui/codeDescriptions.ts";
import { type Column, DataTable } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { notifyDone } from "../../ui/notify.ts";
import { Section } from "../../ui/Section.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import { TwoLines } from "../../ui/TwoLines.tsx";
import { ATTEMPT_STATES, JOB_KIND_NAMES, jobState } from "../health/labels.ts";

export type TimelineEvent = SupportDetailFragment["timeline"][number];

export interface ChangeProps {
  readonly connection: SupportDetailFragment;
  /** Why the admin opened the connection; also the reason of what they do then. */
  readonly reason: string;
  /** Shows the connection after an action; if that failed, reads the connection again. */
  readonly change: (act: () => Promise<SupportDetailFragment>) => Promise<void>;
}

interface TimelineProps extends ChangeProps {
  /** The job to retry, for the open dialog. */
  readonly retried: TimelineEvent | null;
  readonly setRetried: (event: TimelineEvent | null) => void;
}

export function Timeline({ connection, reason, change, retried, setRetried }: TimelineProps) {
  const retry = async () => {
    const id = retried?.id;
    if (id == null) return;
    await change(() => requestChange(RetryJobDocument, { id, reason }));
    notifyDone("The job runs now.");
  };
  return (
    <Section
      title="Timeline"
      description="The newest jobs of each kind, and connect attempts of the last 24 hours. Finished jobs are stored for 7 days."
    >
      <DataTable
        caption="Timeline, newest first"
        columns={[...COLUMNS, retryColumn(setRetried)]}
        rows={connection.timeline}
        rowKey={({ type, id, at }) => `${type} ${id} ${at}`}
        empty={<EmptyState title="Nothing is stored" />}
      />
      <ConfirmDialog
        isOpen={retried !== null}
        onClose={() => setRetried(null)}
        title="Retry the job now?"
        consequences={["It runs before its time. If its cause persists, it fails or waits again."]}
        nameToType={null}
        confirmLabel="Retry now"
        isHarmless
        onConfirm={retry}
      />
    </Section>
  );
}

const NAMES = {
  LINKED: "Account linked",
  ATTEMPT: "Connect attempt",
  APP_REMOVED: "App removed at the provider",
  DISCONNECTED: "Disconnected",
} as const;

function nameOf({ type, jobKind }: TimelineEvent): string {
  if (type !== "JOB") return NAMES[type] ?? type;
  return jobKind === null ? "Job" : JOB_KIND_NAMES[jobKind];
}

const COLUMNS: readonly Column<TimelineEvent>[] = [
  { header: "Event", cell: (event) => <TwoLines name={nameOf(event)} detail={<Timestamp at={event.at} />} /> },
  {
    header: "Status",
    cell: ({ jobStatus, attemptStatus, code }) => {
      if (jobStatus !== null) return <StatusBadge {...jobState(jobStatus, code)} />;
      return attemptStatus !== null && <StatusBadge {...ATTEMPT_STATES[attemptStatus]} />;
    },
  },
  { header: "Details", cell: (event) => <Details {...event} /> },
];

/** The details of an event, with the meaning of each code. */
function Details(event: TimelineEvent) {
  const { code, waitReason, nextTryAt, count, jobKind } = event;
  return (
    <Text size="sm" component="div">
      {code !== null && <div title={code}>{describeCode(event, code).text}</div>}
      {waitReason !== null && <div title={waitReason}>Waits until: {describeWaitReason(waitReason).text}</div>}
      {nextTryAt !== null && (
        <div>
          Next attempt <Timestamp at={nextTryAt} />
        </div>
      )}
      {count !== null && (
        <div>
          {count.toLocaleString("en")} {countedBy(jobKind, count)}
        </div>
      )}
    </Text>
  );
}

function countedBy(kind: TimelineEvent["jobKind"], count: number): string {
  if (kind === "ERASE") return count === 1 ? "row" : "rows";
  return count === 1 ? "post" : "posts";
}

const INCOMPLETE: Readonly<Record<string, string>> = {
  MAX_ITEMS_REACHED: "The scan read as many posts as it may.",
  UPSTREAM_RATE_LIMITED: "The provider’s rate limit or quota ended the scan.",
  UPSTREAM_PAGE_LIMIT: "The provider’s list ended early.",
  UPSTREAM_WINDOW_LIMIT: "The provider lists no older posts.",
};

function describeCode({ type, jobStatus }: TimelineEvent, code: string): { readonly text: string } {
  if (type === "ATTEMPT") return describeConnectResult(code);
  const incomplete = jobStatus === "SUCCEEDED" ? INCOMPLETE[code] : undefined;
  return incomplete === undefined ? describeJobError(code) : { text: incomplete };
}

function retryColumn(onRetry: (event: TimelineEvent) => void): Column<TimelineEvent> {
  return {
    header: "Actions",
    isActions: true,
    cell: (event) =>
      event.jobStatus === "QUEUED" && (
        <Button variant="default" size="compact-sm" onClick={() => onRetry(event)}>
          Retry {nameOf(event).toLowerCase()}
        </Button>
      ),
  };
}
