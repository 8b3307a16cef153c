import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { AddMemberDocument } from "../../_generated/admins.ts";
import { SubmitForm } from "../../forms/SubmitForm.tsx";
import { useChange } from "../../forms/useChange.ts";
import { useSubmit } from "../../forms/useSubmit.ts";

export function AddAdminForm() {
  const change = useChange(["admins"]);
  const form = useForm({
    initialValues: { email: "" },
    validate: { email: (email) => (email.trim() === "" ? "Enter an email address." : null) },
  });
  const submit = useSubmit(form, {
    name: "add-admin",
    run: (values) => change(AddMemberDocument, values, ({ email }) => `${email} was added.`),
    onDone: form.reset,
    fieldOf: ({ reason }) => (reason === "ALREADY_PRESENT" ? "email" : null),
  });
  return (
    <SubmitForm submit={submit} label="Add" gap="md" maw={480} needsConfirmation>
      <TextInput label="Email address" type="email" required {...form.getInputProps("email")} />
    </SubmitForm>
  );
}
