import { SetClientEnabledDocument } from "../../../_generated/clients.ts";
import { request } from "../../../api/request.ts";
import { ConfirmDialog } from "../../../forms/ConfirmDialog.tsx";
import { useClient, useClientChange } from "./useClient.ts";

export function EnabledDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { id, slug, displayName, enabled } = useClient();
  const change = useClientChange();
  const turn = () =>
    change(
      request(SetClientEnabledDocument, { id, enabled: !enabled }).then(({ client }) => client),
      `${displayName} is ${enabled ? "disabled" : "enabled"}.`,
    );
  return enabled ? (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Disable ${displayName}?`}
      consequences={[
        "Its keys are refused from the next call on.",
        "Attempts to connect or to sign in that are under way end at once.",
        "What people have connected stays, and can be read again once the client is enabled.",
      ]}
      nameToType={slug}
      confirmLabel="Disable the client"
      onConfirm={turn}
    />
  ) : (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Enable ${displayName}?`}
      consequences={["Whoever has one of its keys can call the service again at once."]}
      nameToType={null}
      confirmLabel="Enable the client"
      isHarmless
      onConfirm={turn}
    />
  );
}
