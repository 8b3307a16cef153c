import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useRef } from "react";
import { saveDraft } from "../session/drafts.ts";

/**
 * Saves a form's input when the user leaves or reloads the page; `useSubmit` restores it. Returns a function that discards
 * the draft, for when the form was submitted or canceled.
 */
export function useSavedDraft<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  name: string,
): () => void {
  const latest = useRef(form);
  latest.current = form;
  const isDiscarded = useRef(false);
  useEffect(() => {
    const save = () => {
      if (!isDiscarded.current && latest.current.isDirty()) saveDraft(name, latest.current.getValues());
    };
    window.addEventListener("pagehide", save);
    return () => {
      window.removeEventListener("pagehide", save);
      save();
    };
  }, [name]);
  return () => {
    isDiscarded.current = true;
  };
}
