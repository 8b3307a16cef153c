import { useQueryClient } from "@tanstack/react-query";
import type { KeyFragment } from "../../_generated/apiKeys.ts";
import { RevokeApiKeyDocument } from "../../_generated/apiKeys.ts";
import { request } from "../../api/request.ts";
import { unwrap } from "../../api/result.ts";
import { ConfirmDialog } from "../../forms/ConfirmDialog.tsx";
import { shortKeyId } from "../../ui/labels.ts";
import { notifyDone } from "../../ui/notify.ts";

interface RevokeKeyDialogProps {
  /** null: closed. */
  readonly value: KeyFragment | null;
  readonly onClose: () => void;
}

export function RevokeKeyDialog({ value, onClose }: RevokeKeyDialogProps) {
  const queries = useQueryClient();
  const name = value === null ? "" : value.label.trim() || shortKeyId(value.id);
  const revoke = async () => {
    unwrap((await request(RevokeApiKeyDocument, { id: value?.id ?? "" })).result);
    notifyDone(`The key “${name}” was revoked.`);
    await queries.invalidateQueries({ queryKey: ["apiKeys"] });
  };
  return (
    <ConfirmDialog
      isOpen={value !== null}
      onClose={onClose}
      title={`Revoke “${name}”?`}
      consequences={[
        "Requests with this key are rejected immediately.",
        "A revoked key cannot be restored. Mint a new key if you still need one.",
      ]}
      nameToType={name}
      confirmLabel="Revoke key"
      onConfirm={revoke}
    />
  );
}
