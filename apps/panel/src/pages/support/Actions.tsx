import { Button } from "@mantine/core";
import {
  DisconnectForUserDocument,
  DisconnectTouchDocument,
  RescanConnectionDocument,
  type SupportCause,
  type SupportDetailFragment,
} from "../../_generated/support.ts";
import { request, requestChange } from "../../api/request.ts";
import { ConfirmDialog } from "../../forms/ConfirmDialog.tsx";
import { CountedTouch } from "../../touched/CountedTouch.tsx";
import { withTouched } from "../../touched/touchedText.ts";
import { ActionBar } from "../../ui/ActionBar.tsx";
import { notifyDone } from "../../ui/notify.ts";
import { shownText } from "../../ui/shownText.ts";
import type { ChangeProps, TimelineEvent } from "./Timeline.tsx";

/** The dialog that is open. */
export type OpenAction = "rescan" | "disconnect" | null;

interface ActionsProps extends ChangeProps {
  readonly open: OpenAction;
  readonly setOpen: (open: OpenAction) => void;
  readonly onRetry: (job: TimelineEvent) => void;
}

/** The service refuses a scan that would fail, and a second scan. */
function canScan({ status, explanation, timeline }: SupportDetailFragment): boolean {
  const isScanned = timeline.some(
    ({ jobKind, jobStatus }) => jobKind === "SCAN" && (jobStatus === "QUEUED" || jobStatus === "RUNNING"),
  );
  return status === "CONNECTED" && !SCAN_WOULD_FAIL.has(explanation.cause) && !isScanned;
}

/** What an admin can do for the user. Each action is in the audit log with the reason of the visit. */
export function Actions({ connection, reason, change, open, setOpen, onRetry }: ActionsProps) {
  const { id, status, clientSlug, externalSubjectId, explanation, timeline } = connection;
  const isEnded = status === null || status === "DISCONNECTED" || status === "DELETING";
  const waiting = timeline.find((job) => job.id !== null && job.id === explanation.jobId && job.jobStatus === "QUEUED");
  // An open dialog stays with the reason why its action failed.
  if (isEnded && waiting === undefined && open === null) return null;
  const close = () => setOpen(null);
  const rescan = async () => {
    await change(() => requestChange(RescanConnectionDocument, { id, reason }));
    notifyDone("The scan was started.");
  };
  const disconnect = async () => {
    const [, touched] = await withTouched(id, () =>
      change(() => requestChange(DisconnectForUserDocument, { id, reason })),
    );
    notifyDone(`The account was disconnected.${touched} The erasure of the posts is planned.`);
  };
  return (
    <>
      <ActionBar about={externalSubjectId === null ? clientSlug : `${shownText(externalSubjectId)} of ${clientSlug}`}>
        {waiting !== undefined && (
          <Button variant="default" onClick={() => onRetry(waiting)}>
            Retry now
          </Button>
        )}
        {canScan(connection) && (
          <Button variant={SCAN_HELPS.has(explanation.cause) ? "filled" : "default"} onClick={() => setOpen("rescan")}>
            Start a scan
          </Button>
        )}
        {!isEnded && (
          <Button variant="default" onClick={() => setOpen("disconnect")}>
            Disconnect for the user
          </Button>
        )}
      </ActionBar>
      <ConfirmDialog
        isOpen={open === "rescan"}
        onClose={close}
        title="Start a scan?"
        consequences={["It reads the posts of the last 7 days, and uses calls of the quota at the provider."]}
        nameToType={null}
        confirmLabel="Start the scan"
        isHarmless
        onConfirm={rescan}
      />
      <ConfirmDialog
        isOpen={open === "disconnect"}
        onClose={close}
        title="Disconnect the account for the user?"
        consequences={[
          <DisconnectTouch key="touched" id={id} />,
          "Access stops immediately, the permission at the provider is revoked, and all stored data is erased by a worker.",
          "Other connections of the user at this provider, and other users’ connections to this account, are suspended until the revocation settles. If it ends their permission too, they must be connected again.",
          "It cannot be undone. The user can connect the account again.",
        ]}
        nameToType={externalSubjectId}
        confirmLabel="Disconnect"
        onConfirm={disconnect}
      />
    </>
  );
}

/** The account can have been linked by others since the page was read. */
function DisconnectTouch({ id }: { readonly id: string }) {
  const read = async () => (await request(DisconnectTouchDocument, { id })).connection?.touchedByDisconnect ?? [];
  return <CountedTouch queryKey={["disconnectTouch", id]} read={read} />;
}

const SCAN_HELPS: ReadonlySet<string> = new Set<SupportCause>(["SCAN_FAILED", "NEVER_SCANNED", "SCAN_OVERDUE"]);

const SCAN_WOULD_FAIL: ReadonlySet<string> = new Set<SupportCause>([
  "CLIENT_DISABLED",
  "POLICY_FORBIDS",
  "REGISTRATION_NOT_SERVING",
  "REGISTRATION_PAUSED",
  "REGISTRATION_DISABLED",
  "CAPABILITY_NOT_GRANTED",
  "CAPABILITY_NOT_SERVED",
  "CONSENT_EXPIRED",
  "APP_REMOVED",
  "RECONNECT_REQUIRED",
]);
