import { SetClientEnabledDocument } from "../../../_generated/clients.ts";
import { request } from "../../../api/request.ts";
import { ConfirmDialog } from "../../../forms/ConfirmDialog.tsx";
import { useClient, useClientChange } from "./useClient.ts";

export function EnabledDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { id, slug, displayName, enabled } = useClient();
  const change = useClientChange();
  const toggle = () =>
    change(
      request(SetClientEnabledDocument, { id, enabled: !enabled }).then(({ client }) => client),
      `${displayName} was ${enabled ? "disabled" : "enabled"}.`,
    );
  return enabled ? (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Disable ${displayName}?`}
      consequences={[
        "Its keys are rejected immediately.",
        "Unfinished attempts and sign-ins are canceled.",
        "Existing connections stay, and can be read again once the client is enabled.",
      ]}
      nameToType={slug}
      confirmLabel="Disable client"
      onConfirm={toggle}
    />
  ) : (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Enable ${displayName}?`}
      consequences={["Its keys work again immediately."]}
      nameToType={null}
      confirmLabel="Enable client"
      isHarmless
      onConfirm={toggle}
    />
  );
}
