import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { AddMemberDocument } from "../../_generated/admins.ts";
import { request } from "../../api/request.ts";
import { unwrap } from "../../api/result.ts";
import { ConfirmationNote } from "../../confirmation/ConfirmationNote.tsx";
import { FormNotes } from "../../forms/FormNotes.tsx";
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
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md" maw={480}>
        <FormNotes submit={submit} />
        <TextInput
          label="Email address"
          type="email"
          required
          autoComplete="off"
          key={form.key("email")}
          {...form.getInputProps("email")}
        />
        <ConfirmationNote />
        <Group>
          <Button type="submit" loading={submit.isBusy}>
            Add
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
