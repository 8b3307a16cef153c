import { NativeSelect, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { environmentValue } from "@social-connect/domain";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  type ClientCredentialsQuery,
  IssueClientCredentialDocument,
  type IssueClientCredentialMutation,
} from "../../../_generated/clients.ts";
import { requestChange } from "../../../api/request.ts";
import type { Success } from "../../../api/result.ts";
import { SubmitForm } from "../../../forms/SubmitForm.tsx";
import { useSubmit } from "../../../forms/useSubmit.ts";
import { keyState } from "../../../ui/keyState.ts";
import { Loaded } from "../../../ui/Loaded.tsx";
import { CancelLink } from "../../../ui/links.tsx";
import { OneTimeSecret } from "../../../ui/OneTimeSecret.tsx";
import { Section } from "../../../ui/Section.tsx";
import { serviceTime, Timestamp } from "../../../ui/Timestamp.tsx";
import { clientCredentials, clientDeployment } from "../shared/queries.ts";
import { useClient } from "./useClient.ts";

type Issued = Success<IssueClientCredentialMutation["result"]>;

/** The form, then the issued key. The key is only stored in this component's state, so leaving the page discards it. */
export function IssueKey() {
  const [issued, setIssued] = useState<Issued | null>(null);
  const query = useQuery(clientCredentials(useClient().id));
  if (issued !== null) return <IssuedKey issued={issued} />;
  return (
    <Loaded query={query} sections={[6]}>
      {(keys) => <IssueKeyForm keys={keys} onIssued={setIssued} />}
    </Loaded>
  );
}

const LIFETIMES = [
  { value: "", label: "No expiration" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "other", label: "Custom" },
];

interface IssueKeyFormProps {
  readonly keys: ClientCredentialsQuery["credentials"];
  readonly onIssued: (issued: Issued) => void;
}

function IssueKeyForm({ keys, onIssued }: IssueKeyFormProps) {
  const { id, displayName } = useClient();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { lifetime: "", expiresInDays: "" },
    validate: {
      expiresInDays: (days, { lifetime }) =>
        lifetime !== "other" || /^[1-9]\d{0,3}$/.test(days.trim()) ? null : "Enter a whole number of days.",
    },
  });
  const { lifetime } = form.values;
  const isRotation = keys.some((key) => keyState(key, serviceTime()).isActive);
  const submit = useSubmit(form, {
    name: `client-${id}-issue-key`,
    run: ({ lifetime: chosen, expiresInDays }) => {
      const days = chosen === "other" ? expiresInDays.trim() : chosen;
      return requestChange(IssueClientCredentialDocument, { id, expiresInDays: days === "" ? null : Number(days) });
    },
    onDone: (issued) => {
      onIssued(issued);
      return queries.invalidateQueries({ queryKey: clientCredentials(id).queryKey });
    },
  });
  return (
    <Section
      title={isRotation ? "Rotate the key" : "Issue a key"}
      description={`The key is shown once. Pass it to the developers of ${displayName}.${isRotation ? " The old key stays valid until you revoke it; the page of keys shows when it is no longer used." : ""}`}
    >
      <SubmitForm
        submit={submit}
        label="Issue key"
        maw={480}
        needsConfirmation
        cancel={<CancelLink to="/clients/$clientId/keys" params={{ clientId: id }} />}
      >
        <NativeSelect
          label="Lifetime"
          description="A key must be replaced before it expires. If you do not monitor expiry, choose no expiration."
          data={LIFETIMES}
          {...form.getInputProps("lifetime")}
        />
        {lifetime === "other" && (
          <TextInput label="Days" inputMode="numeric" maw={180} {...form.getInputProps("expiresInDays")} />
        )}
      </SubmitForm>
    </Section>
  );
}

function IssuedKey({ issued }: { readonly issued: Issued }) {
  const { id, displayName, tenantKeys } = useClient();
  const { data } = useQuery(clientDeployment);
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<string | null>(null);
  const tenants = tenantKeys.filter((key) => environmentValue(key) !== null);
  const tenant = chosen ?? tenants[0];
  return (
    <Section title={`New key for ${displayName}`}>
      <Text mb="md">
        Expires: <Timestamp at={issued.credential.expiresAt} />. Store the key only on the application’s server, never
        in a browser, an app or a repository.
      </Text>
      {tenants.length > 1 && (
        <NativeSelect
          label="Tenant"
          description="The lines for an .env file name one. The key is for all tenants of the client."
          data={tenants}
          value={tenant}
          onChange={(event) => setChosen(event.currentTarget.value)}
          mb="md"
          maw={480}
        />
      )}
      <OneTimeSecret
        label="Application key"
        secret={issued.key}
        variable="SOCIAL_CONNECT_KEY"
        otherLines={[
          ...(data === undefined ? [] : [`SOCIAL_CONNECT_URL=${data.deployment.baseUrl}`]),
          ...(tenant === undefined ? [] : [`SOCIAL_CONNECT_TENANT=${environmentValue(tenant)}`]),
        ]}
        {...(tenant === undefined ? {} : { linesAreFor: `tenant ${tenant}` })}
        // Replaces this page in the history, so that Back skips it.
        onDone={() => void navigate({ to: "/clients/$clientId/keys", params: { clientId: id }, replace: true })}
      />
    </Section>
  );
}
