import { useForm } from "@mantine/form";
import { useNavigate } from "@tanstack/react-router";
import { ChangeEventEndpointDocument } from "../../_generated/clientEvents.ts";
import { SubmitForm } from "../../forms/SubmitForm.tsx";
import { useChange } from "../../forms/useChange.ts";
import { useSubmit } from "../../forms/useSubmit.ts";
import { LinkButton } from "../../ui/links.tsx";
import { Section } from "../../ui/Section.tsx";
import { useClient } from "../clients/detail/useClient.ts";
import { EndpointFields, type EndpointValues } from "./EndpointFields.tsx";
import { LoadedEndpoint } from "./LoadedEndpoint.tsx";
import { type Endpoint, eventEndpoints } from "./queries.ts";

/** Changes the URL and the types of an endpoint. */
export function ChangeEndpoint() {
  return <LoadedEndpoint>{(endpoint) => <ChangeForm endpoint={endpoint} />}</LoadedEndpoint>;
}

function ChangeForm({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id: clientId } = useClient();
  const { id: endpointId } = endpoint;
  const navigate = useNavigate();
  const change = useChange(eventEndpoints(clientId).queryKey);
  const form = useForm<EndpointValues>({
    initialValues: { url: endpoint.url, types: [...endpoint.types] },
    validate: { url: (url) => (url.trim() === "" ? "Enter a URL." : null) },
  });
  const submit = useSubmit(form, {
    name: `endpoint-${endpointId}`,
    run: ({ url, types }) =>
      change(
        ChangeEventEndpointDocument,
        { id: endpointId, url: url.trim(), types: [...types] },
        "The endpoint was changed.",
      ),
    fieldOf: ({ code }) => (code === "BAD_USER_INPUT" ? "url" : null),
    onDone: () => navigate({ to: "/clients/$clientId/events", params: { clientId } }),
  });
  return (
    <Section title="Change the endpoint" description="Waiting deliveries go to the new URL. The secret stays the same.">
      <SubmitForm
        submit={submit}
        label="Save"
        needsConfirmation
        cancel={
          <LinkButton to="/clients/$clientId/events" params={{ clientId }} variant="subtle">
            Cancel
          </LinkButton>
        }
      >
        <EndpointFields inputOf={form.getInputProps} />
      </SubmitForm>
    </Section>
  );
}
