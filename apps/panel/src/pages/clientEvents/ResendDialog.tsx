import { Checkbox, NativeSelect } from "@mantine/core";
import { touchedText } from "@social-connect/domain";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { ResendEventsDocument } from "../../_generated/clientEvents.ts";
import { requestChange } from "../../api/request.ts";
import { ConfirmDialog } from "../../forms/ConfirmDialog.tsx";
import { PlannedTouch } from "../../touched/PlannedTouch.tsx";
import { notifyDone } from "../../ui/notify.ts";
import { serviceTime } from "../../ui/Timestamp.tsx";
import { useClient } from "../clients/detail/useClient.ts";
import { eventsKey } from "./queries.ts";

const HOUR_MS = 3_600_000;
const AGES = [
  { value: "1", label: "The last hour" },
  { value: "24", label: "The last 24 hours" },
  { value: "168", label: "The last 7 days" },
  { value: "719", label: "The last 30 days" },
];

/** Sends events of a time again, for a receiver that was away. */
export function ResendDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { id: clientId } = useClient();
  const queries = useQueryClient();
  const [hours, setHours] = useState("24");
  const [failedOnly, setFailedOnly] = useState(true);
  // What is counted is sent: from the same time on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening the dialog counts again
  const since = useMemo(
    () => new Date(serviceTime().getTime() - Number(hours) * HOUR_MS).toISOString(),
    [hours, isOpen],
  );
  const resend = async () => {
    const sent = { events: 0, deliveries: 0 };
    // The service handles a bounded number at a time.
    for (let after: string | null | undefined; after !== null; ) {
      const part = await requestChange(ResendEventsDocument, { clientId, since, failedOnly, after });
      sent.events += part.events;
      sent.deliveries += part.deliveries;
      after = part.endCursor;
    }
    notifyDone(sent.deliveries === 0 ? "There is nothing to send again." : `Sent again: ${touchedText(sent)}.`);
    await queries.invalidateQueries({ queryKey: eventsKey(clientId) });
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Resend events?"
      consequences={[
        "Each endpoint that is on receives the events of its types again, with the same ids, so that a receiver can recognize them.",
        "Events from before an endpoint was added, and of erased users, are not sent.",
        <PlannedTouch key="touch" action="RESEND_EVENTS" id={clientId} since={since} failedOnly={failedOnly} />,
      ]}
      nameToType={null}
      confirmLabel="Resend"
      isHarmless
      onConfirm={resend}
    >
      <NativeSelect
        label="Time"
        data={AGES}
        value={hours}
        onChange={({ currentTarget }) => setHours(currentTarget.value)}
      />
      <Checkbox
        label="Only what was not delivered"
        description="Failed deliveries, and events that happened while the endpoint was off."
        checked={failedOnly}
        onChange={({ currentTarget }) => setFailedOnly(currentTarget.checked)}
      />
    </ConfirmDialog>
  );
}
