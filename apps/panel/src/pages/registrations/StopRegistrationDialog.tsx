import { useQueryClient } from "@tanstack/react-query";
import { DisableRegistrationDocument, PauseRegistrationDocument } from "../../_generated/registrations.ts";
import { request } from "../../api/request.ts";
import { unwrap } from "../../api/result.ts";
import { ConfirmDialog } from "../../forms/ConfirmDialog.tsx";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { notifyDone } from "../../ui/notify.ts";
import type { RegistrationDetail } from "./queries.ts";

export type StopKind = "pause" | "disable";

interface StopRegistrationDialogProps {
  readonly registration: RegistrationDetail;
  /** null: closed. */
  readonly kind: StopKind | null;
  readonly onClose: () => void;
}

export function StopRegistrationDialog({ registration, kind, onClose }: StopRegistrationDialogProps) {
  const queries = useQueryClient();
  const { id, provider, connectionCount } = registration;
  const name = PROVIDER_NAMES[provider];
  const stop = async () => {
    if (kind === "pause") unwrap((await request(PauseRegistrationDocument, { id })).result);
    else unwrap((await request(DisableRegistrationDocument, { id })).result);
    notifyDone(`The registration at ${name} is ${kind === "pause" ? "paused" : "disabled"}.`);
    await queries.invalidateQueries({ queryKey: ["registrations"] });
  };
  const isPause = kind === "pause";
  return (
    <ConfirmDialog
      isOpen={kind !== null}
      onClose={onClose}
      title={isPause ? `Pause the registration at ${name}?` : `Disable the registration at ${name}?`}
      consequences={[
        "From now on nobody can connect an account through it.",
        describeConnections(connectionCount, isPause ? "AUTHORIZATION_SUSPENDED" : "CAPABILITY_UNAVAILABLE"),
        isPause
          ? "It can be changed while it is paused, and published again after the same checks."
          : "Nothing is erased. It can be published again, after the same checks.",
      ]}
      nameToType={isPause ? null : name}
      confirmLabel={isPause ? "Pause" : "Disable the registration"}
      onConfirm={stop}
    />
  );
}

function describeConnections(count: number, code: string): string {
  if (count === 0) return "No connection was made through it, so nobody loses one.";
  const subject = count === 1 ? "The connection that was" : `The ${count.toLocaleString("en")} connections that were`;
  return `${subject} made through it cannot be read: whoever asks gets ${code}.`;
}
