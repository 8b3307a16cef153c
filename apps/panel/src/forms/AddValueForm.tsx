import { Box, Group, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ReactNode } from "react";
import { ActionButton } from "../ui/ActionButton.tsx";
import { FormNotes } from "./FormNotes.tsx";
import { PLAIN_TEXT } from "./plainText.ts";
import { useSubmit } from "./useSubmit.ts";

interface AddValueFormProps {
  /** Unique within the panel. */
  readonly name: string;
  readonly label: string;
  readonly description?: ReactNode;
  /** The validation error, or null. */
  readonly problemOf: (value: string) => string | null;
  readonly add: (value: string) => Promise<unknown>;
}

/** One field and a button that adds its value to a list. */
export function AddValueForm({ name, label, description, problemOf, add }: AddValueFormProps) {
  const form = useForm({
    initialValues: { value: "" },
    validate: { value: (value) => problemOf(value.trim()) },
  });
  const submit = useSubmit(form, {
    name,
    run: ({ value }) => add(value.trim()),
    fieldOf: ({ code }) => (code === "BAD_USER_INPUT" || code === "CONFLICT" ? "value" : null),
    onDone: form.reset,
  });
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="sm" maw={640}>
        <FormNotes submit={submit} />
        <TextInput
          label={label}
          description={description}
          {...PLAIN_TEXT}
          {...form.getInputProps("value")}
          inputContainer={(input) => (
            <Group gap="sm" align="flex-end">
              <Box flex="1 1 220px">{input}</Box>
              <ActionButton type="submit" variant="default" isBusy={submit.isBusy}>
                Add
              </ActionButton>
            </Group>
          )}
        />
      </Stack>
    </form>
  );
}
