import { AddClientTenantKeyDocument, RemoveClientTenantKeyDocument } from "../../../_generated/clients.ts";
import { AddValueForm } from "../../../forms/AddValueForm.tsx";
import { tenantKeyProblem } from "../shared/rules.ts";
import { useClient, useClientChange } from "./useClient.ts";
import { ValuesSection } from "./ValuesSection.tsx";

export function ClientTenants() {
  const { id, tenantKeys } = useClient();
  const change = useClientChange();
  return (
    <ValuesSection
      title="Tenant keys"
      description="The application’s workspaces. Tenants cannot see each other’s connections."
      noun="tenant key"
      values={tenantKeys}
      touching={(value) => ({ action: "REMOVE_TENANT_KEY", id, value })}
      empty="None. The application needs at least one tenant key before users can connect accounts."
      mustBeTyped
      consequences={[
        "The application can no longer read or create connections of this tenant.",
        "Existing connections are retained and can be read again if you add the key again.",
      ]}
      remove={(tenantKey) => change(RemoveClientTenantKeyDocument, { tenantKey }, "The tenant key was removed.", true)}
    >
      <AddValueForm
        name={`client-${id}-tenant`}
        label="New tenant key"
        description="As the application sends it. Case-sensitive."
        problemOf={tenantKeyProblem}
        add={(tenantKey) => change(AddClientTenantKeyDocument, { tenantKey }, "The tenant key was added.")}
      />
    </ValuesSection>
  );
}
