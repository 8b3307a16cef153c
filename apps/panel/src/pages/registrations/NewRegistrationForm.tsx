import { Group } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CreateRegistrationDocument } from "../../_generated/registrations.ts";
import { request } from "../../api/request.ts";
import { unwrap } from "../../api/result.ts";
import { FormNotes } from "../../forms/FormNotes.tsx";
import { useSubmit } from "../../forms/useSubmit.ts";
import { ActionButton } from "../../ui/ActionButton.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { notifyDone } from "../../ui/notify.ts";
import classes from "./FormEnd.module.css";
import type { ProviderSetup } from "./queries.ts";
import { RegistrationFields } from "./RegistrationFields.tsx";
import { findGaps, inputOf, newValues, type RegistrationValues } from "./registrationValues.ts";

export function NewRegistrationForm({ setup }: { readonly setup: ProviderSetup }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useForm<RegistrationValues>({
    initialValues: newValues(setup),
    validate: (values) => findGaps(values, setup, null),
  });
  const submit = useSubmit(form, {
    name: `new-registration-${setup.provider}`,
    run: async (values) => {
      const variables = { provider: setup.provider, input: inputOf(values) };
      return unwrap((await request(CreateRegistrationDocument, variables)).result);
    },
    onDone: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ["registrations"] });
      notifyDone("Registration saved as draft.");
      await navigate({ to: "/registrations/$registrationId", params: { registrationId: id }, replace: true });
    },
    secrets: ["clientSecret"],
  });
  return (
    <form onSubmit={submit.onSubmit} noValidate className={classes.form}>
      <RegistrationFields form={form} setup={setup} registration={null} />
      <div className={classes.end}>
        <FormNotes submit={submit} />
        <Group>
          <ActionButton type="submit" isBusy={submit.isBusy}>
            Save as draft
          </ActionButton>
          <LinkButton to="/registrations" variant="subtle">
            Cancel
          </LinkButton>
        </Group>
      </div>
    </form>
  );
}
