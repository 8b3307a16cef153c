import { type KeyFragment, RevokeApiKeyDocument } from "../../_generated/apiKeys.ts";
import { ConfirmDialog } from "../../forms/ConfirmDialog.tsx";
import { useChange } from "../../forms/useChange.ts";
import { shortKeyId } from "../../ui/labels.ts";

type NamedKey = Pick<KeyFragment, "id" | "label">;

function nameOf({ id, label }: NamedKey): string {
  return label.trim() || shortKeyId(id);
}

/** Revokes an admin key and updates the pages that show it. */
export function useRevokeApiKey() {
  const change = useChange(["apiKeys"]);
  return (key: NamedKey) => change(RevokeApiKeyDocument, { id: key.id }, `The key “${nameOf(key)}” was revoked.`);
}

interface RevokeKeyDialogProps {
  /** null: closed. */
  readonly value: KeyFragment | null;
  readonly onClose: () => void;
}

export function RevokeKeyDialog({ value, onClose }: RevokeKeyDialogProps) {
  const revoke = useRevokeApiKey();
  const name = value === null ? "" : nameOf(value);
  return (
    <ConfirmDialog
      isOpen={value !== null}
      onClose={onClose}
      title={`Revoke “${name}”?`}
      consequences={[
        "It affects 1 key. Requests with this key are rejected immediately.",
        "A revoked key cannot be restored. Mint a new key if you still need one.",
      ]}
      nameToType={name}
      confirmLabel="Revoke key"
      onConfirm={async () => {
        if (value !== null) await revoke(value);
      }}
    />
  );
}
