import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { AddMemberDocument } from "../../_generated/admins.ts";
import { request } from "../../api/request.ts";
import { unwrap } from "../../api/result.ts";
import { SubmitForm } from "../../forms/SubmitForm.tsx";
import { useSubmit } from "../../forms/useSubmit.ts";
import { notifyDone } from "../../ui/notify.ts";

export function AddAdminForm() {
  const queries = useQueryClient();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { email: "" },
    validate: { email: (email) => (email.trim() === "" ? "Enter an email address." : null) },
  });
  const submit = useSubmit(form, {
    name: "add-admin",
    run: async (values) => unwrap((await request(AddMemberDocument, values)).result),
    onDone: ({ email }) => {
      form.reset();
      notifyDone(`${email} was added.`);
      return queries.invalidateQueries({ queryKey: ["admins"] });
    },
    fieldOf: ({ reason }) => (reason === "ALREADY_PRESENT" ? "email" : null),
  });
  return (
    <SubmitForm submit={submit} label="Add" gap="md" maw={480} needsConfirmation>
      <TextInput
        label="Email address"
        type="email"
        required
        autoComplete="off"
        key={form.key("email")}
        {...form.getInputProps("email")}
      />
    </SubmitForm>
  );
}
