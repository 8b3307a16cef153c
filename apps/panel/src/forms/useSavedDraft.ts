import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useRef } from "react";
import { saveDraft } from "../session/drafts.ts";

/**
 * Keeps what a long form holds when its page is left or loaded again, so that `useSubmit` finds it when the person comes
 * back. Gives a function that says that nothing is to be kept any more: it was sent, or given up.
 */
export function useSavedDraft<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  name: string,
): () => void {
  const latest = useRef(form);
  latest.current = form;
  const isOver = useRef(false);
  useEffect(() => {
    const keep = () => {
      if (!isOver.current && latest.current.isDirty()) saveDraft(name, latest.current.getValues());
    };
    window.addEventListener("pagehide", keep);
    return () => {
      window.removeEventListener("pagehide", keep);
      keep();
    };
  }, [name]);
  return () => {
    isOver.current = true;
  };
}
