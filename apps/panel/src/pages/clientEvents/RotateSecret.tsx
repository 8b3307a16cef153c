import { Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { EVENT_LIMITS } from "@social-connect/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { RotateEventEndpointSecretDocument } from "../../_generated/clientEvents.ts";
import { requestChange } from "../../api/request.ts";
import { SubmitForm } from "../../forms/SubmitForm.tsx";
import { useSubmit } from "../../forms/useSubmit.ts";
import { LinkButton } from "../../ui/links.tsx";
import { Section } from "../../ui/Section.tsx";
import { useClient } from "../clients/detail/useClient.ts";
import { EndpointSecret } from "./EndpointSecret.tsx";
import { LoadedEndpoint } from "./LoadedEndpoint.tsx";
import { type Endpoint, eventEndpoints } from "./queries.ts";

/** Replaces an endpoint's secret. */
export function RotateSecret() {
  return <LoadedEndpoint>{(endpoint) => <RotateForm endpoint={endpoint} />}</LoadedEndpoint>;
}

function RotateForm({ endpoint: { id: endpointId, url } }: { readonly endpoint: Endpoint }) {
  const { id: clientId } = useClient();
  const queries = useQueryClient();
  const [secret, setSecret] = useState<string | null>(null);
  const form = useForm({ initialValues: {} });
  const submit = useSubmit(form, {
    name: `endpoint-${endpointId}-rotate`,
    run: () => requestChange(RotateEventEndpointSecretDocument, { id: endpointId }),
    onDone: (rotated) => {
      setSecret(rotated.secret);
      return queries.invalidateQueries({ queryKey: eventEndpoints(clientId).queryKey });
    },
  });
  if (secret !== null) return <EndpointSecret title="New secret of the endpoint" secret={secret} />;
  return (
    <Section title="Rotate the secret" description={url}>
      <SubmitForm
        submit={submit}
        label="Rotate secret"
        needsConfirmation
        cancel={
          <LinkButton to="/clients/$clientId/events" params={{ clientId }} variant="subtle">
            Cancel
          </LinkButton>
        }
      >
        <Text size="sm" maw="62ch">
          For {EVENT_LIMITS.previousSecretHours} hours the new secret and the one before it both sign each event. Deploy
          the new one within that time. If you rotated within the last {EVENT_LIMITS.previousSecretHours} hours, the
          secret before that one ends now.
        </Text>
      </SubmitForm>
    </Section>
  );
}
