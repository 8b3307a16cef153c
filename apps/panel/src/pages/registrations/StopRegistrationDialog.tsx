import { DisableRegistrationDocument, PauseRegistrationDocument } from "../../_generated/registrations.ts";
import { ConfirmDialog } from "../../forms/ConfirmDialog.tsx";
import { useChange } from "../../forms/useChange.ts";
import { PlannedTouch } from "../../touched/PlannedTouch.tsx";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { LinkTo } from "../../ui/links.tsx";
import type { RegistrationDetail } from "./queries.ts";

export type StopKind = "pause" | "disable";

interface StopRegistrationDialogProps {
  readonly registration: RegistrationDetail;
  /** null: closed. */
  readonly kind: StopKind | null;
  readonly onClose: () => void;
}

export function StopRegistrationDialog({ registration, kind, onClose }: StopRegistrationDialogProps) {
  const change = useChange(["registrations"]);
  const { id, provider } = registration;
  const name = PROVIDER_NAMES[provider];
  const isPause = kind === "pause";
  const stop = () =>
    isPause
      ? change(PauseRegistrationDocument, { id }, `The registration at ${name} was paused.`, id)
      : change(DisableRegistrationDocument, { id }, `The registration at ${name} was disabled.`, id);
  return (
    <ConfirmDialog
      isOpen={kind !== null}
      onClose={onClose}
      title={isPause ? `Pause the registration at ${name}?` : `Disable the registration at ${name}?`}
      consequences={[
        "No new accounts can be connected.",
        <PlannedTouch key="touch" action="STOP_REGISTRATION" id={id} />,
        <Stopped
          key="stopped"
          registration={registration}
          code={isPause ? "AUTHORIZATION_SUSPENDED" : "CAPABILITY_UNAVAILABLE"}
        />,
        isPause
          ? "You can change it while it is paused, and publish it again after the same checks."
          : "No data is deleted. You can publish it again after the same checks.",
      ]}
      nameToType={isPause ? null : provider}
      confirmLabel={isPause ? "Pause" : "Disable the registration"}
      onConfirm={stop}
    />
  );
}

interface StoppedProps {
  readonly registration: Pick<RegistrationDetail, "id" | "connectionCount">;
  readonly code: string;
}

function Stopped({ registration: { id, connectionCount: count }, code }: StoppedProps) {
  if (count === 0) return <>It has no connections.</>;
  return (
    <>
      Its{" "}
      <LinkTo to="/connections" search={{ registration: id }} inherit>
        {count === 1 ? "connection" : "connections"}
      </LinkTo>{" "}
      cannot be read: reads fail with {code}.
    </>
  );
}
