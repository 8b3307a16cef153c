import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { SetClientDisplayNameDocument } from "../../../_generated/clients.ts";
import { request } from "../../../api/request.ts";
import { FormNotes } from "../../../forms/FormNotes.tsx";
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
    run: (values) =>
      change(
        request(SetClientDisplayNameDocument, { id, ...values }).then(({ client }) => client),
        "The name was saved.",
      ),
  });
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md" maw={480}>
        <FormNotes submit={submit} />
        <TextInput
          label="Name"
          required
          maxLength={80}
          autoComplete="off"
          key={form.key("displayName")}
          {...form.getInputProps("displayName")}
        />
        <Group>
          <Button type="submit" variant="default" loading={submit.isBusy}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
