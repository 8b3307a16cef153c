import { Checkbox, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { EVENT_LIMITS, EVENT_TYPES } from "@social-connect/contract";
import { SELECTABLE_EVENT_TYPES } from "@social-connect/domain";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import {
  AddEventEndpointDocument,
  ChangeEventEndpointDocument,
  RotateEventEndpointSecretDocument,
} from "../../_generated/clientEvents.ts";
import { requestChange } from "../../api/request.ts";
import type { TypedResult } from "../../api/result.ts";
import { PLAIN_TEXT } from "../../forms/plainText.ts";
import { SubmitForm } from "../../forms/SubmitForm.tsx";
import { useSubmit } from "../../forms/useSubmit.ts";
import { Loaded } from "../../ui/Loaded.tsx";
import { CancelLink } from "../../ui/links.tsx";
import { notifyDone } from "../../ui/notify.ts";
import { OneTimeSecret } from "../../ui/OneTimeSecret.tsx";
import { Section } from "../../ui/Section.tsx";
import { useClient } from "../clients/detail/useClient.ts";
import { type Endpoint, eventEndpoint, eventEndpoints } from "./queries.ts";

/** Adds an endpoint. */
export function NewEndpoint() {
  const { id: clientId, displayName } = useClient();
  return (
    <EndpointForm
      title="Add an endpoint"
      description={`A URL of the backend of ${displayName}. Its secret is shown once. It receives what happens from now on.`}
      label="Add endpoint"
      endpoint={{ id: clientId, url: "", types: [] }}
      run={(values) => requestChange(AddEventEndpointDocument, { clientId, ...values })}
    />
  );
}

/** Changes the URL and the types of an endpoint. */
export function ChangeEndpoint() {
  return (
    <LoadedEndpoint>
      {(endpoint) => (
        <EndpointForm
          title="Change the endpoint"
          description="Waiting deliveries go to the new URL. The secret stays the same."
          label="Save"
          endpoint={endpoint}
          run={(values) => requestChange(ChangeEventEndpointDocument, { id: endpoint.id, ...values })}
        />
      )}
    </LoadedEndpoint>
  );
}

/** Replaces an endpoint's secret. */
export function RotateSecret() {
  return (
    <LoadedEndpoint>
      {(endpoint) => (
        <EndpointForm
          title="Rotate the secret"
          description={endpoint.url}
          label="Rotate secret"
          endpoint={endpoint}
          run={() => requestChange(RotateEventEndpointSecretDocument, { id: endpoint.id })}
        >
          <Text size="sm" maw="62ch">
            For {EVENT_LIMITS.previousSecretHours} hours the new secret and the one before it both sign each event.
            Deploy the new one within that time. If you rotated within the last {EVENT_LIMITS.previousSecretHours}{" "}
            hours, the secret before that one ends now.
          </Text>
        </EndpointForm>
      )}
    </LoadedEndpoint>
  );
}

/** Renders the endpoint of the current page once it is loaded. */
function LoadedEndpoint({ children }: { readonly children: (endpoint: Endpoint) => ReactNode }) {
  const { endpointId = "" } = useParams({ strict: false });
  return <Loaded query={useQuery(eventEndpoint(useClient().id, endpointId))}>{children}</Loaded>;
}

interface EndpointFormProps {
  readonly title: string;
  readonly description: string;
  readonly label: string;
  readonly endpoint: Pick<Endpoint, "id" | "url" | "types">;
  readonly run: (values: { url: string; types: string[] }) => Promise<TypedResult & { readonly secret?: string }>;
  /** Instead of the fields. */
  readonly children?: ReactNode;
}

/** A form, and then the endpoint's new secret, if it has one. The secret is only stored in this component's state. */
function EndpointForm({ title, description, label, endpoint, run, children }: EndpointFormProps) {
  const { id: clientId } = useClient();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [secret, setSecret] = useState<string | null>(null);
  const form = useForm({
    initialValues: { url: endpoint.url, types: [...endpoint.types] },
    validate: { url: (url) => (url.trim() === "" ? "Enter a URL." : null) },
  });
  // Replaces a page with a secret in the history, so that Back skips it.
  const showEndpoints = (replace: boolean) =>
    navigate({ to: "/clients/$clientId/events", params: { clientId }, replace });
  const submit = useSubmit(form, {
    name: `${label} ${endpoint.id}`,
    run: ({ url, types }) => run({ url: url.trim(), types }),
    fieldOf: ({ code }) => (code === "BAD_USER_INPUT" ? "url" : null),
    onDone: async ({ secret: shownOnce }) => {
      if (shownOnce === undefined) notifyDone("The endpoint was changed.");
      else setSecret(shownOnce);
      await queries.invalidateQueries({ queryKey: eventEndpoints(clientId).queryKey });
      if (shownOnce === undefined) await showEndpoints(false);
    },
  });
  if (secret !== null) {
    return (
      <Section title="New secret of the endpoint" description={form.getValues().url.trim()}>
        <Text mb="md">
          The application’s backend verifies the signature of each event with it. Store it only there.
        </Text>
        <OneTimeSecret
          label="Signing secret"
          noun="secret"
          remedy="rotate it"
          secret={secret}
          variable="SOCIAL_CONNECT_EVENT_SECRET"
          onDone={() => void showEndpoints(true)}
        />
      </Section>
    );
  }
  return (
    <Section title={title} description={description}>
      <SubmitForm
        submit={submit}
        label={label}
        needsConfirmation
        cancel={<CancelLink to="/clients/$clientId/events" params={{ clientId }} />}
      >
        {children ?? (
          <>
            <TextInput
              label="URL"
              description="With https, e.g. https://app.example.com/social/events. No redirects, no private addresses."
              {...PLAIN_TEXT}
              {...form.getInputProps("url")}
            />
            <Checkbox.Group
              label="Types"
              description="Choose none to receive all types, also those that are added later."
              {...form.getInputProps("types")}
            >
              <Stack gap="sm" mt="xs">
                {SELECTABLE_EVENT_TYPES.map((type) => (
                  <Checkbox key={type} value={type} label={type} description={EVENT_TYPES[type].description} />
                ))}
              </Stack>
            </Checkbox.Group>
          </>
        )}
      </SubmitForm>
    </Section>
  );
}
