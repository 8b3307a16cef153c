import { Group, Stack, type StackProps } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { ConfirmationNote } from "../confirmation/ConfirmationNote.tsx";
import { ActionButton } from "../ui/ActionButton.tsx";
import { FormNotes } from "./FormNotes.tsx";
import type { Submit } from "./useSubmit.ts";

interface SubmitFormProps extends Pick<StackProps, "gap" | "maw"> {
  readonly submit: Submit;
  /** Runs instead of the submit's own handler. */
  readonly onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
  readonly label: string;
  /** The form is not the page's main action. */
  readonly isSecondary?: boolean;
  readonly needsConfirmation?: boolean;
  /** Before the submit button. */
  readonly back?: ReactNode;
  /** After the submit button. */
  readonly cancel?: ReactNode;
  /** The fields. */
  readonly children: ReactNode;
}

/** A form with its notes, fields and buttons. */
export function SubmitForm({ submit, label, isSecondary, needsConfirmation, children, ...props }: SubmitFormProps) {
  const { onSubmit = submit.onSubmit, back, cancel, gap = "lg", maw = 640 } = props;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap={gap} maw={maw}>
        <FormNotes submit={submit} />
        {children}
        {needsConfirmation && <ConfirmationNote />}
        <Group>
          {back}
          <ActionButton type="submit" variant={isSecondary ? "default" : "filled"} isBusy={submit.isBusy}>
            {label}
          </ActionButton>
          {cancel}
        </Group>
      </Stack>
    </form>
  );
}
