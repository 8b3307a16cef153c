import { Checkbox, Input, PasswordInput, Radio, Stack, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { CAPABILITIES } from "@social-connect/contract";
import { PLAIN_TEXT } from "../../forms/plainText.ts";
import { PlannedTouch } from "../../touched/PlannedTouch.tsx";
import { LazyPart } from "../../ui/LazyPart.tsx";
import { CAPABILITY_NAMES } from "../../ui/labels.ts";
import { Section } from "../../ui/Section.tsx";
import type { ProviderSetup, RegistrationDetail } from "./queries.ts";
import classes from "./RegistrationFields.module.css";
import { movesOrigin, type RegistrationValues, takesClientsOut } from "./registrationValues.ts";

const loadClientPicker = async () => (await import("./ClientPicker.tsx")).ClientPicker;

interface RegistrationFieldsProps {
  readonly form: UseFormReturnType<RegistrationValues>;
  readonly setup: ProviderSetup;
  /** null: a new registration. */
  readonly registration: RegistrationDetail | null;
}

export function RegistrationFields({ form, setup, registration }: RegistrationFieldsProps) {
  const moves = registration !== null && movesOrigin(form.values, registration);
  return (
    <>
      <Section title="Client credentials" description="Issued by the provider when you registered the service.">
        <Stack gap="md" maw={560}>
          <TextInput label="Client id" required {...PLAIN_TEXT} {...form.getInputProps("clientId")} />
          <PasswordInput
            label="Client secret"
            description={
              registration === null
                ? "Stored encrypted and never shown again."
                : moves
                  ? "An address moves to another origin. Enter the secret again, so that it is not sent there unnoticed."
                  : "A secret is stored. Leave this empty to keep it."
            }
            required={registration === null || moves}
            {...PLAIN_TEXT}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ "aria-label": "Show secret" }}
            {...form.getInputProps("clientSecret")}
          />
        </Stack>
      </Section>
      <AddressFields form={form} setup={setup} />
      <CapabilityFields form={form} />
      <Section title="Allowed clients">
        <Stack gap="md" maw={560}>
          <Radio.Group aria-label="Allowed clients" {...form.getInputProps("serves")}>
            <Stack gap="xs">
              <Radio value="all" label="All clients" description="Including future clients." />
              <Radio value="some" label="Only selected clients" />
            </Stack>
          </Radio.Group>
          {form.values.serves === "some" && (
            <LazyPart name="client picker" load={loadClientPicker}>
              {(ClientPicker) => <ClientPicker form={form} known={registration?.clients ?? []} />}
            </LazyPart>
          )}
          {registration !== null && takesClientsOut(form.values, registration) && (
            <Text size="sm">
              Clients that you take out can no longer connect accounts, nor read their connections.{" "}
              <PlannedTouch
                action="CHANGE_REGISTRATION_CLIENTS"
                id={registration.id}
                clientIds={form.values.clientIds}
              />
            </Text>
          )}
        </Stack>
      </Section>
    </>
  );
}

function AddressFields({ form, setup }: Pick<RegistrationFieldsProps, "form" | "setup">) {
  const address = (name: "authorization" | "token" | "revocation" | "api" | "issuer") => ({
    type: "url",
    ...PLAIN_TEXT,
    ...form.getInputProps(name),
  });
  return (
    <Section
      title="Addresses"
      description={`Prefilled with the URLs of ${setup.publicApiName}. Change them for a proxy or a simulator.`}
    >
      <Stack gap="md" maw={640}>
        <TextInput label="Authorization URL" required {...address("authorization")} />
        <TextInput label="Token URL" required {...address("token")} />
        {setup.canRevoke && <TextInput label="Revocation URL" required {...address("revocation")} />}
        <TextInput label="API base URL" required {...address("api")} />
        <TextInput
          label="Issuer"
          description="The expected “iss” in a callback, if the provider sends it. Default: the origin of the authorization URL."
          {...address("issuer")}
        />
      </Stack>
    </Section>
  );
}

/** A capability is granted if the consent includes all of its scopes. */
function CapabilityFields({ form }: Pick<RegistrationFieldsProps, "form">) {
  const { capabilities } = form.values;
  return (
    <Section
      title="Capabilities"
      description="What the service can request, and the provider’s scopes for it, separated by spaces."
    >
      <Checkbox.Group aria-label="Capabilities" {...form.getInputProps("capabilities")}>
        <ul className={classes.capabilities}>
          {CAPABILITIES.map((capability) => (
            <li key={capability} className={classes.capability}>
              <Checkbox value={capability} label={CAPABILITY_NAMES[capability]} />
              <TextInput
                aria-label={`Scopes of “${CAPABILITY_NAMES[capability]}”`}
                disabled={!capabilities.includes(capability)}
                className={classes.scopes}
                {...PLAIN_TEXT}
                {...form.getInputProps(`scopes.${capability}`)}
              />
            </li>
          ))}
        </ul>
      </Checkbox.Group>
      {form.errors["scopes"] !== undefined && (
        <Input.Error role="alert" mt="sm">
          {form.errors["scopes"]}
        </Input.Error>
      )}
    </Section>
  );
}
