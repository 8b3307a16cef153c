import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { AddEventEndpointDocument } from "../../_generated/clientEvents.ts";
import { requestChange } from "../../api/request.ts";
import { SubmitForm } from "../../forms/SubmitForm.tsx";
import { useSubmit } from "../../forms/useSubmit.ts";
import { LinkButton } from "../../ui/links.tsx";
import { Section } from "../../ui/Section.tsx";
import { useClient } from "../clients/detail/useClient.ts";
import { EndpointFields, type EndpointValues } from "./EndpointFields.tsx";
import { EndpointSecret } from "./EndpointSecret.tsx";
import { eventEndpoints } from "./queries.ts";

/** The form, then the endpoint's secret. The secret is only stored in this component's state. */
export function NewEndpoint() {
  const { id, displayName } = useClient();
  const queries = useQueryClient();
  const [secret, setSecret] = useState<string | null>(null);
  const form = useForm<EndpointValues>({
    initialValues: { url: "", types: [] },
    validate: { url: (url) => (url.trim() === "" ? "Enter a URL." : null) },
  });
  const submit = useSubmit(form, {
    name: `client-${id}-new-endpoint`,
    run: ({ url, types }) =>
      requestChange(AddEventEndpointDocument, { clientId: id, url: url.trim(), types: [...types] }),
    fieldOf: ({ code }) => (code === "BAD_USER_INPUT" ? "url" : null),
    onDone: (added) => {
      setSecret(added.secret);
      return queries.invalidateQueries({ queryKey: eventEndpoints(id).queryKey });
    },
  });
  if (secret !== null) return <EndpointSecret title="Secret of the new endpoint" secret={secret} />;
  return (
    <Section
      title="Add an endpoint"
      description={`A URL of the backend of ${displayName}. Its secret is shown once. It receives what happens from now on.`}
    >
      <SubmitForm
        submit={submit}
        label="Add endpoint"
        needsConfirmation
        cancel={
          <LinkButton to="/clients/$clientId/events" params={{ clientId: id }} variant="subtle">
            Cancel
          </LinkButton>
        }
      >
        <EndpointFields inputOf={form.getInputProps} />
      </SubmitForm>
    </Section>
  );
}
