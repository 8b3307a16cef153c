import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { MemberFragment } from "../../_generated/admins.ts";
import { ActiveKeysOfDocument, RemoveMemberDocument } from "../../_generated/admins.ts";
import { request } from "../../api/request.ts";
import { unwrap } from "../../api/result.ts";
import { ConfirmDialog } from "../../forms/ConfirmDialog.tsx";
import { refreshSession } from "../../session/session.ts";
import { notifyDone } from "../../ui/notify.ts";

interface RemoveAdminDialogProps {
  /** null: closed. */
  readonly member: MemberFragment | null;
  readonly isOwn: boolean;
  /** Nobody else has signed in yet, so that nobody is known to be able to. */
  readonly isLastSignedIn: boolean;
  /** What was typed into the dialog before the person left for a confirmation. */
  readonly typedBefore: string;
  readonly onClose: () => void;
}

/** What the page keeps while the person confirms, to open the dialog again. */
export const REMOVE_ADMIN_DRAFT = "remove-admin";
export interface RemoveAdminDraft {
  readonly id: string;
  readonly typed: string;
}

export function RemoveAdminDialog({ member, isOwn, isLastSignedIn, typedBefore, onClose }: RemoveAdminDialogProps) {
  const queries = useQueryClient();
  const keys = useQuery({
    queryKey: ["apiKeys", "activeOf", member?.id],
    queryFn: async () => (await request(ActiveKeysOfDocument, { memberId: member?.id ?? "" })).keys,
    enabled: member !== null,
  });
  const remove = async () => {
    unwrap((await request(RemoveMemberDocument, { id: member?.id ?? "" })).result);
    // The own session has ended with it; everybody else's page only has to be read anew.
    if (isOwn) return refreshSession();
    notifyDone(`${member?.email} is no admin any more.`);
    await Promise.all(["admins", "apiKeys"].map((name) => queries.invalidateQueries({ queryKey: [name] })));
  };
  const email = member?.email ?? "";
  return (
    <ConfirmDialog
      isOpen={member !== null}
      onClose={onClose}
      title={isOwn ? "Remove yourself from the admins?" : `Remove ${email} from the admins?`}
      consequences={[
        isOwn ? "You are signed out at once." : `Whoever is signed in as ${email} is signed out at once.`,
        ...(isLastSignedIn
          ? ["Nobody else on the list has signed in yet. Until somebody does, nobody administers the service."]
          : []),
        describeKeys(keys.data),
        "What was done stays in the audit log. If the address is added again, that is a new admin, without any key.",
      ]}
      nameToType={email}
      confirmLabel="Remove the admin"
      onConfirm={remove}
      confirmation={{ name: REMOVE_ADMIN_DRAFT, values: { id: member?.id ?? "" }, typed: typedBefore }}
    />
  );
}

/** Which keys die; as a rule while it is not known which. */
function describeKeys(keys: readonly { readonly label: string }[] | undefined): string {
  if (keys === undefined) return "All keys that this admin has minted are refused from their next call on.";
  if (keys.length === 0) return "There is no key that would die with it.";
  const labels = keys.map(({ label }) => `“${label}”`).join(", ");
  const subject = keys.length === 1 ? "This key is" : `These ${keys.length} keys are`;
  return `${subject} refused from the next call on: ${labels}.`;
}
