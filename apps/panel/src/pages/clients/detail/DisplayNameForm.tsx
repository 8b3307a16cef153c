import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { SetClientDisplayNameDocument } from "../../../_generated/clients.ts";
import { SubmitForm } from "../../../forms/SubmitForm.tsx";
import { useSubmit } from "../../../forms/useSubmit.ts";
import { displayNameProblem } from "../shared/rules.ts";
import { useClient, useClientChange } from "./useClient.ts";

export function DisplayNameForm() {
  const { id, displayName } = useClient();
  const change = useClientChange();
  const form = useForm({
    initialValues: { displayName },
    validate: { displayName: displayNameProblem },
  });
  const submit = useSubmit(form, {
    name: `client-${id}-name`,
    run: (values) => change(SetClientDisplayNameDocument, values, "The name was saved."),
  });
  return (
    <SubmitForm submit={submit} label="Save" isSecondary gap="md" maw={480}>
      <TextInput label="Name" required maxLength={80} {...form.getInputProps("displayName")} />
    </SubmitForm>
  );
}
