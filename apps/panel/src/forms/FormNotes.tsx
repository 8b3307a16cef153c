import { Alert } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { FailureNote } from "../ui/FailureNote.tsx";
import type { Submit } from "./useSubmit.ts";

/** Shown above a form's fields: a failure of the form as a whole, or that its input was restored. */
export function FormNotes({ submit }: { readonly submit: Submit }) {
  const note = useRef<HTMLDivElement>(null);
  // Above the notices, which cover the end of the window.
  useEffect(() => {
    if (submit.failure !== null) note.current?.scrollIntoView({ block: "nearest" });
  }, [submit.failure]);
  if (submit.failure !== null) {
    return (
      <div ref={note}>
        <FailureNote failure={submit.failure} />
      </div>
    );
  }
  if (!submit.isRestored) return null;
  return (
    <Alert variant="light" icon={<IconShieldCheck aria-hidden />} role="status">
      Your input was restored. {submit.needsSecretAgain && "Secrets are not saved: enter the secret again. "}
      Check it and submit the form again.
    </Alert>
  );
}
