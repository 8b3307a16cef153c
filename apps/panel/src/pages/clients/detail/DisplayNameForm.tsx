import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { SetClientDisplayNameDocument } from "../../../_generated/clients.ts";
import { request } from "../../../api/request.ts";
import { SubmitForm } from "../../../forms/SubmitForm.tsx";
import { useSubmit } from "../../../forms/useSubmit.ts";
import { displayNameProblem } from "../shared/rules.ts";
import { useClient, useClientChange } from "./useClient.ts";

export function DisplayNameForm() {
  const { id, displayName } = useClient();
  const change = useClientChange();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { displayName },
    validate: { displayName: displayNameProblem },
  });
  const submit = useSubmit(form, {
    name: `client-${id}-name`,
    run: (values) => change(request(SetClientDisplayNameDocument, { id, ...values }), "The name was saved."),
  });
  return (
    <SubmitForm submit={submit} label="Save" isSecondary gap="md" maw={480}>
      <TextInput
        label="Name"
        required
        maxLength={80}
        autoComplete="off"
        key={form.key("displayName")}
        {...form.getInputProps("displayName")}
      />
    </SubmitForm>
  );
}
