import { Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ReactNode } from "react";
import { ActionButton } from "../ui/ActionButton.tsx";
import classes from "./AddValueForm.module.css";
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

const FIELD_CLASSES = {
  root: classes.field ?? "",
  label: classes.label ?? "",
  description: classes.description ?? "",
  wrapper: classes.box ?? "",
  error: classes.error ?? "",
};

/** One field and a button that adds its value to a list. */
export function AddValueForm({ name, label, description, problemOf, add }: AddValueFormProps) {
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { value: "" },
    validate: { value: (value) => problemOf(value.trim()) },
  });
  const submit = useSubmit(form, {
    name,
    run: ({ value }) => add(value.trim()),
    fieldOf: ({ code }) => (code === "BAD_USER_INPUT" || code === "CONFLICT" ? "value" : null),
    onDone: () => form.reset(),
  });
  return (
    <form onSubmit={submit.onSubmit} noValidate className={classes.form}>
      <Stack gap="sm">
        <FormNotes submit={submit} />
        <div className={classes.line}>
          <TextInput
            classNames={FIELD_CLASSES}
            label={label}
            description={description}
            {...PLAIN_TEXT}
            key={form.key("value")}
            {...form.getInputProps("value")}
          />
          <ActionButton type="submit" variant="default" isBusy={submit.isBusy} className={classes.button}>
            Add
          </ActionButton>
        </div>
      </Stack>
    </form>
  );
}
