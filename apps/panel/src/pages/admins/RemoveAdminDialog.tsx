import { useQuery } from "@tanstack/react-query";
import { ActiveKeysOfDocument, type MemberFragment, RemoveMemberDocument } from "../../_generated/admins.ts";
import { request, requestChange } from "../../api/request.ts";
import { ConfirmDialog } from "../../forms/ConfirmDialog.tsx";
import { useChange } from "../../forms/useChange.ts";
import { refreshSession } from "../../session/session.ts";
import { PlannedTouch } from "../../touched/PlannedTouch.tsx";

interface RemoveAdminDialogProps {
  /** null: closed. */
  readonly member: MemberFragment | null;
  readonly isOwn: boolean;
  /** No other admin has ever signed in. */
  readonly isLastSignedIn: boolean;
  /** The dialog's input before a confirmation. */
  readonly typedBefore: string;
  readonly onClose: () => void;
}

/** Saved during a confirmation, to reopen the dialog. */
export const REMOVE_ADMIN_DRAFT = "remove-admin";
export interface RemoveAdminDraft {
  readonly id: string;
  readonly typed: string;
}

export function RemoveAdminDialog({ member, isOwn, isLastSignedIn, typedBefore, onClose }: RemoveAdminDialogProps) {
  const change = useChange(["admins"], ["apiKeys"]);
  const { id = "", email = "" } = member ?? {};
  const keys = useQuery({
    queryKey: ["apiKeys", "activeOf", id],
    queryFn: async () => (await request(ActiveKeysOfDocument, { memberId: id })).keys,
    enabled: member !== null,
  });
  const remove = async () => {
    if (!isOwn) return change(RemoveMemberDocument, { id }, `${email} was removed.`, id);
    await requestChange(RemoveMemberDocument, { id });
    // Removing yourself ends your session.
    return refreshSession();
  };
  return (
    <ConfirmDialog
      isOpen={member !== null}
      onClose={onClose}
      title={isOwn ? "Remove yourself from the admins?" : `Remove ${email} from the admins?`}
      consequences={[
        isOwn ? "You are signed out immediately." : `${email} is signed out immediately.`,
        ...(isLastSignedIn
          ? ["No other admin has signed in yet. Until one does, the service has no active admin."]
          : []),
        <PlannedTouch key="touch" action="REMOVE_ADMIN" id={id} />,
        describeKeys(keys.data),
        "The admin’s audit entries are retained. Adding the address again creates a new admin without keys.",
      ]}
      nameToType={email}
      confirmLabel="Remove admin"
      onConfirm={remove}
      confirmation={{ name: REMOVE_ADMIN_DRAFT, values: { id }, typed: typedBefore }}
    />
  );
}

function describeKeys(keys: readonly { readonly label: string }[] | undefined): string {
  if (keys === undefined) return "All API keys of this admin are revoked immediately.";
  if (keys.length === 0) return "This admin has no active API keys.";
  const labels = keys.map(({ label }) => `“${label}”`).join(", ");
  const subject = keys.length === 1 ? "This key is" : `These ${keys.length} keys are`;
  return `${subject} revoked immediately: ${labels}.`;
}
