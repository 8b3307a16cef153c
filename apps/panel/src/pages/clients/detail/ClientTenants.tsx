import { AddClientTenantKeyDocument, RemoveClientTenantKeyDocument } from "../../../_generated/clients.ts";
import { request } from "../../../api/request.ts";
import { AddValueForm } from "../../../forms/AddValueForm.tsx";
import { Section } from "../../../ui/Section.tsx";
import { tenantKeyProblem } from "../shared/rules.ts";
import { RemovableValues } from "./RemovableValues.tsx";
import { useClient, useClientChange } from "./useClient.ts";

export function ClientTenants() {
  const { id, tenantKeys } = useClient();
  const change = useClientChange();
  return (
    <Section
      title="Tenant keys"
      description="The application’s workspaces. What one of them has connected is out of sight for the others."
    >
      <RemovableValues
        label="Tenant keys"
        noun="tenant key"
        values={tenantKeys}
        empty="None yet: the application needs at least one before anybody can connect an account."
        mustBeTyped
        consequences={[
          "From the next call on, the application can neither read nor connect anything for it.",
          "What it has connected stays stored, and can be read again when the key is added again.",
        ]}
        remove={(tenantKey) =>
          change(
            request(RemoveClientTenantKeyDocument, { id, tenantKey }).then(({ client }) => client),
            "The tenant key is removed.",
          )
        }
      />
      <AddValueForm
        name={`client-${id}-tenant`}
        label="Another tenant key"
        description="As the application sends it, with small and capital letters told apart."
        button="Add"
        problemOf={tenantKeyProblem}
        add={(tenantKey) =>
          change(
            request(AddClientTenantKeyDocument, { id, tenantKey }).then(({ client }) => client),
            "The tenant key is added.",
          )
        }
      />
    </Section>
  );
}
