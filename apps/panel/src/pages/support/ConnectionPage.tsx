import { Alert, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { checkSupportReason } from "@social-connect/domain";
import { focusManager } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import {
  type SupportDetailFragment,
  ViewConnectionDocument,
  ViewedConnectionDocument,
} from "../../_generated/support.ts";
import { asFailure } from "../../api/failure.ts";
import { request, requestChange } from "../../api/request.ts";
import { SubmitForm } from "../../forms/SubmitForm.tsx";
import { useAction } from "../../forms/useAction.ts";
import { useSubmit } from "../../forms/useSubmit.ts";
import { ActionButton } from "../../ui/ActionButton.tsx";
import { FailureNote } from "../../ui/FailureNote.tsx";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Section } from "../../ui/Section.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { REFRESH_MS, useLive } from "../../ui/useLive.ts";
import { CONNECTION_STATES } from "../health/labels.ts";
import { Actions, type OpenAction } from "./Actions.tsx";
import { ConnectionFacts } from "./ConnectionFacts.tsx";
import { Explanation } from "./Explanation.tsx";
import { Timeline, type TimelineEvent } from "./Timeline.tsx";

const route = getRouteApi("/support/connections/$connectionId");

interface Opened {
  readonly reason: string;
  readonly connection: SupportDetailFragment;
}

/** A connection for support. It is opened on request, because each view is in the audit log with its reason. */
export function ConnectionPage() {
  const { connectionId } = route.useParams();
  return <OpenedConnection key={connectionId} id={connectionId} />;
}

function OpenedConnection({ id }: { readonly id: string }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const breadcrumbs = [{ to: "/support", label: "Support" }];
  if (opened === null) {
    return (
      <>
        <PageHeader title="Connection" breadcrumbs={breadcrumbs} description={id} />
        <Section title="Open">
          <OpenForm id={id} onOpened={setOpened} />
        </Section>
      </>
    );
  }
  return <ShownConnection opened={opened} breadcrumbs={breadcrumbs} onChanged={setOpened} />;
}

interface ShownConnectionProps {
  readonly opened: Opened;
  readonly breadcrumbs: readonly { readonly to: string; readonly label: string }[];
  readonly onChanged: (opened: Opened) => void;
}

function ShownConnection({ opened, breadcrumbs, onChanged }: ShownConnectionProps) {
  const { connection, reason } = opened;
  const { id, status, provider } = connection;
  const [action, setAction] = useState<OpenAction>(null);
  const [retried, setRetried] = useState<TimelineEvent | null>(null);
  const show = (changed: SupportDetailFragment) => onChanged({ reason, connection: changed });
  const { hasEnded, restart, refetch } = useViewedConnection(connection, show);
  const change = async (act: () => Promise<SupportDetailFragment>) => {
    try {
      show(await act());
    } catch (error) {
      // Another admin or the user may have changed the connection.
      void refetch();
      throw error;
    }
  };
  const openAgain = (again: Opened) => {
    restart();
    onChanged(again);
  };
  return (
    <>
      <PageHeader
        title={`Connection at ${PROVIDER_NAMES[provider]}`}
        breadcrumbs={breadcrumbs}
        description={
          <>
            {id}
            <br />
            What you do here is in the audit log with the reason “{reason}”.
          </>
        }
        badge={<StatusBadge {...(status === null ? { label: "Erased", tone: "idle" } : CONNECTION_STATES[status])} />}
      />
      <Actions
        connection={connection}
        reason={reason}
        change={change}
        open={action}
        setOpen={setAction}
        onRetry={setRetried}
      />
      {hasEnded && <ViewEnded id={id} reason={reason} onOpened={openAgain} />}
      <Explanation connection={connection} />
      <Timeline connection={connection} reason={reason} change={change} retried={retried} setRetried={setRetried} />
      <ConnectionFacts connection={connection} />
    </>
  );
}

/** How often the connection is read again while one of its jobs runs or is due. */
const ACTIVE_REFRESH_MS = 5_000;

/** Refreshes the connection at intervals and when the page becomes visible, until the service no longer allows it. */
function useViewedConnection(connection: SupportDetailFragment, show: (connection: SupportDetailFragment) => void) {
  const { id, timeline } = connection;
  const latest = useRef(connection);
  latest.current = connection;
  const [hasEnded, setHasEnded] = useState(false);
  const refetch = async () => {
    const before = latest.current;
    try {
      const { connection: read } = await request(ViewedConnectionDocument, { id });
      // An action that ended in the meantime has shown a newer state.
      if (latest.current === before) show(read);
    } catch (error) {
      // Other failures are temporary; the page keeps what it shows.
      if (asFailure(error).code === "NOT_FOUND") setHasEnded(true);
    }
  };
  const isActive = timeline.some(({ jobStatus, nextTryAt }) => {
    return jobStatus === "RUNNING" || (jobStatus === "QUEUED" && nextTryAt === null);
  });
  const everyMs = isActive ? ACTIVE_REFRESH_MS : REFRESH_MS;
  useLive({ refetch }, hasEnded ? null : everyMs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `refetch` only uses what does not change
  useEffect(() => {
    if (!hasEnded) return focusManager.subscribe((isVisible) => isVisible && void refetch());
  }, [hasEnded]);
  return { hasEnded, restart: () => setHasEnded(false), refetch };
}

interface ViewEndedProps {
  readonly id: string;
  readonly reason: string;
  readonly onOpened: (opened: Opened) => void;
}

/** After 15 minutes, another view needs another audit entry. */
function ViewEnded({ id, reason, onOpened }: ViewEndedProps) {
  const action = useAction(async () => {
    onOpened({ reason, connection: await requestChange(ViewConnectionDocument, { id, reason }) });
  });
  return (
    <Alert variant="light" mb="lg" role="status" title="This page is no longer refreshed">
      <Text size="sm">You opened the connection more than 15 minutes ago. What you see may be outdated.</Text>
      {action.failure !== null && <FailureNote failure={action.failure} />}
      <ActionButton variant="default" size="xs" mt="sm" isBusy={action.isBusy} onClick={() => void action.run()}>
        Open it again
      </ActionButton>
    </Alert>
  );
}

function OpenForm({ id, onOpened }: { readonly id: string; readonly onOpened: (opened: Opened) => void }) {
  const form = useForm({
    initialValues: { reason: "" },
    validate: { reason: validateReason },
  });
  const submit = useSubmit(form, {
    name: `support-open-${id}`,
    run: async (values) => {
      const reason = values.reason.trim();
      return { reason, connection: await requestChange(ViewConnectionDocument, { id, reason }) };
    },
    onDone: onOpened,
  });
  return (
    <SubmitForm submit={submit} label="Open connection" gap="md" needsConfirmation>
      <TextInput
        label="Reason"
        description="For the audit log: a ticket, a correlation id or a few words. No personal data."
        required
        {...form.getInputProps("reason")}
      />
    </SubmitForm>
  );
}

function validateReason(reason: string): string | null {
  return reason.trim() === "" ? "Enter a reason." : (checkSupportReason(reason.trim())?.message ?? null);
}
