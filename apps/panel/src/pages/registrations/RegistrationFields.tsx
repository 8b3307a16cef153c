import { Checkbox, Input, PasswordInput, Radio, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { CAPABILITIES } from "@social-connect/contract";
import { CAPABILITY_NAMES } from "../../ui/labels.ts";
import { Section } from "../../ui/Section.tsx";
import { ClientPicker } from "./ClientPicker.tsx";
import type { ProviderSetup, RegistrationDetail } from "./queries.ts";
import classes from "./RegistrationFields.module.css";
import type { RegistrationValues } from "./registrationValues.ts";
import { movesOrigin } from "./registrationValues.ts";

interface RegistrationFieldsProps {
  readonly form: UseFormReturnType<RegistrationValues>;
  readonly setup: ProviderSetup;
  /** null: it is not written down yet. */
  readonly registration: RegistrationDetail | null;
}

const AS_WRITTEN = { autoComplete: "off", autoCapitalize: "off", spellCheck: false } as const;

export function RegistrationFields({ form, setup, registration }: RegistrationFieldsProps) {
  const moves = registration !== null && movesOrigin(form.values, registration);
  return (
    <>
      <Section title="The client there" description="What the provider gave you when you registered the service.">
        <Stack gap="md" maw={560}>
          <TextInput label="Client id" required {...AS_WRITTEN} {...form.getInputProps("clientId")} />
          <PasswordInput
            label="Client secret"
            description={
              registration === null
                ? "It is sealed when it is stored, and never shown again."
                : moves
                  ? "An address moves to another origin, so the stored secret does not go there. Enter the secret again."
                  : "One is stored, and is never shown. Leave this empty to keep it."
            }
            required={registration === null || moves}
            {...AS_WRITTEN}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ "aria-label": "Show what is typed" }}
            {...form.getInputProps("clientSecret")}
          />
        </Stack>
      </Section>
      <AddressFields form={form} setup={setup} />
      <CapabilityFields form={form} />
      <Section title="Clients it serves">
        <Stack gap="md" maw={560}>
          <Radio.Group aria-label="Clients it serves" {...form.getInputProps("serves")}>
            <Stack gap="xs">
              <Radio value="all" label="Every client" description="Those to come, too." />
              <Radio value="some" label="Only these" />
            </Stack>
          </Radio.Group>
          {form.values.serves === "some" && <ClientPicker form={form} known={registration?.clients ?? []} />}
        </Stack>
      </Section>
    </>
  );
}

function AddressFields({ form, setup }: Pick<RegistrationFieldsProps, "form" | "setup">) {
  const address = (name: "authorization" | "token" | "revocation" | "api" | "issuer") => ({
    type: "url",
    ...AS_WRITTEN,
    ...form.getInputProps(name),
  });
  return (
    <Section
      title="Addresses"
      description={`Those of ${setup.publicApiName} to begin with. A proxy or a simulator that speaks the same has others.`}
    >
      <Stack gap="md" maw={640}>
        <TextInput label="Consent page" required {...address("authorization")} />
        <TextInput label="Token address" required {...address("token")} />
        {setup.canRevoke && <TextInput label="Revocation address" required {...address("revocation")} />}
        <TextInput label="Base address of the API" required {...address("api")} />
        <TextInput
          label="Issuer"
          description="What “iss” in a callback has to be, where the provider sends it. Left empty, it is the consent page's origin."
          {...address("issuer")}
        />
      </Stack>
    </Section>
  );
}

/** A capability is granted when a consent holds all of its scopes. */
function CapabilityFields({ form }: Pick<RegistrationFieldsProps, "form">) {
  const { capabilities } = form.values;
  return (
    <Section
      title="Capabilities"
      description="What may be asked for at a consent, and the scopes that stand for it at the provider, with spaces between them."
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
                {...AS_WRITTEN}
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
