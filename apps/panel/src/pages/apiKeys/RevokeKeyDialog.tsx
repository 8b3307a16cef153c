import type { KeyFragment } from "../../_generated/apiKeys.ts";
import { ConfirmDialog } from "../../forms/ConfirmDialog.tsx";
import { nameOfKey, useRevokeApiKey } from "./useRevokeApiKey.ts";

interface RevokeKeyDialogProps {
  /** null: closed. */
  readonly value: KeyFragment | null;
  readonly onClose: () => void;
}

export function RevokeKeyDialog({ value, onClose }: RevokeKeyDialogProps) {
  const revoke = useRevokeApiKey();
  const name = value === null ? "" : nameOfKey(value);
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
      onConfirm={async () => {
        if (value !== null) await revoke(value);
      }}
    />
  );
}
