import { SetClientEnabledDocument } from "../../../_generated/clients.ts";
import { request } from "../../../api/request.ts";
import { ConfirmDialog } from "../../../forms/ConfirmDialog.tsx";
import { useClient, useClientChange } from "./useClient.ts";

export function EnabledDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { id, slug, displayName, enabled } = useClient();
  const change = useClientChange();
  const toggle = () =>
    change(
      request(SetClientEnabledDocument, { id, enabled: !enabled }),
      `${displayName} was ${enabled ? "disabled" : "enabled"}.`,
    );
  const verb = enabled ? "Disable" : "Enable";
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`${verb} ${displayName}?`}
      consequences={enabled ? DISABLING : ["Its keys work again immediately."]}
      nameToType={enabled ? slug : null}
      confirmLabel={`${verb} client`}
      isHarmless={!enabled}
      onConfirm={toggle}
    />
  );
}

const DISABLING = [
  "Its keys are rejected immediately.",
  "Unfinished attempts and sign-ins are canceled.",
  "Existing connections stay, and can be read again once the client is enabled.",
];
