import { Alert } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { FailureNote } from "../ui/FailureNote.tsx";
import type { Submit } from "./useSubmit.ts";

/** Shown above a form's fields: a failure of the form as a whole, or that its input was restored. */
export function FormNotes({ submit }: { readonly submit: Submit }) {
  if (submit.failure !== null) return <FailureNote failure={submit.failure} />;
  if (!submit.isRestored) return null;
  return (
    <Alert variant="light" icon={<IconShieldCheck aria-hidden />} role="status">
      Your input was restored. {submit.needsSecretAgain && "Secrets are not saved: enter the secret again. "}
      Check it and submit the form again.
    </Alert>
  );
}
