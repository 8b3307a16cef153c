import { Alert } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { FailureNote } from "../ui/FailureNote.tsx";
import type { Submit } from "./useSubmit.ts";

/** Above a form's fields: what is wrong with the whole of it, or that it was filled again. */
export function FormNotes({ submit }: { readonly submit: Submit }) {
  if (submit.failure !== null) return <FailureNote failure={submit.failure} />;
  if (!submit.isRestored) return null;
  return (
    <Alert variant="light" icon={<IconShieldCheck aria-hidden />} role="status">
      Your entries are still here. {submit.needsSecretAgain && "Enter the secret again, which was not stored. "}
      Check them, then send them again.
    </Alert>
  );
}
