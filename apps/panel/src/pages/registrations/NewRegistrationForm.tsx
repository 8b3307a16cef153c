import { Box, Group, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useNavigate } from "@tanstack/react-router";
import { CreateRegistrationDocument } from "../../_generated/registrations.ts";
import { FormNotes } from "../../forms/FormNotes.tsx";
import { useChange } from "../../forms/useChange.ts";
import { useSubmit } from "../../forms/useSubmit.ts";
import { ActionButton } from "../../ui/ActionButton.tsx";
import { CancelLink } from "../../ui/links.tsx";
import type { ProviderSetup } from "./queries.ts";
import { RegistrationFields } from "./RegistrationFields.tsx";
import { findGaps, inputOf, newValues, type RegistrationValues } from "./registrationValues.ts";

export function NewRegistrationForm({ setup }: { readonly setup: ProviderSetup }) {
  const change = useChange(["registrations"]);
  const navigate = useNavigate();
  const form = useForm<RegistrationValues>({
    initialValues: newValues(setup),
    validate: (values) => findGaps(values, setup, null),
  });
  const submit = useSubmit(form, {
    name: `new-registration-${setup.provider}`,
    run: (values) => {
      const variables = { provider: setup.provider, input: inputOf(values) };
      return change(CreateRegistrationDocument, variables, "Registration saved as draft.");
    },
    onDone: ({ id }) =>
      navigate({ to: "/registrations/$registrationId", params: { registrationId: id }, replace: true }),
    secrets: ["clientSecret"],
  });
  return (
    <Box component="form" onSubmit={submit.onSubmit} noValidate mt={18}>
      <RegistrationFields form={form} setup={setup} registration={null} />
      <Stack gap="md" mt={22}>
        <FormNotes submit={submit} />
        <Group>
          <ActionButton type="submit" isBusy={submit.isBusy}>
            Save as draft
          </ActionButton>
          <CancelLink to="/registrations" />
        </Group>
      </Stack>
    </Box>
  );
}
