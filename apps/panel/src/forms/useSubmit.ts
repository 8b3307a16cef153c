import type { UseFormReturnType } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { asFailure, type Failure, mayHaveBeenApplied } from "../api/failure.ts";
import { useConfirmationPrompt } from "../confirmation/ConfirmationProvider.tsx";
import { type Draft, restoreDraft, saveDraft } from "../session/drafts.ts";
import { dismissDone } from "../ui/notify.ts";

interface SubmitOptions<Values, Result> {
  /** Unique within the panel; contains the id of the edited record. */
  readonly name: string;
  readonly run: (values: Values) => Promise<Result>;
  readonly onDone?: (result: Result, values: Values) => unknown;
  /** The field of a failure that does not name one, e.g. derived from its reason; null: the form as a whole. */
  readonly fieldOf?: (failure: Failure) => string | null;
  /** Called instead of focusing the field of a failure, for forms that must show it first. */
  readonly onFieldFailed?: (field: string) => void;
  /** Fields that are never saved in a draft. */
  readonly secrets?: readonly (keyof Values & string)[];
}

export interface Submit {
  readonly onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  readonly isBusy: boolean;
  /** A failure of the form as a whole. */
  readonly failure: Failure | null;
  /** The form was restored from a draft. */
  readonly isRestored: boolean;
  /** A secret was entered before the confirmation and has to be entered again. */
  readonly needsSecretAgain: boolean;
}

/**
 * Submits a form. A failure appears at its field, which receives the focus, or above the form. If a confirmation is needed,
 * prompts for it and restores the form afterwards.
 */
export function useSubmit<Values extends Record<string, unknown>, Result>(
  form: UseFormReturnType<Values>,
  { name, run, onDone, fieldOf, onFieldFailed, secrets = [] }: SubmitOptions<Values, Result>,
): Submit {
  const promptForConfirmation = useConfirmationPrompt();
  const queries = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const restored = useRestored(form, name);
  const missingSecret = restored?.dropped.find((field) => !form.getValues()[field]) ?? null;

  const fail = (problem: Failure, values: Values) => {
    const saved = Object.fromEntries(Object.entries(values).filter(([field]) => !secrets.includes(field)));
    const dropped = secrets.filter((field) => values[field]);
    if (problem.code === "CONFIRMATION_REQUIRED")
      return promptForConfirmation({ draft: { name, values: saved, dropped } });
    if (problem.code === "UNAUTHENTICATED") return saveDraft(name, saved, dropped);
    // Refetches, so that the page shows whether the change was applied.
    if (mayHaveBeenApplied(problem)) void queries.invalidateQueries();
    const field = fieldIn(values, problem.field) ?? fieldIn(values, fieldOf?.(problem) ?? null);
    if (field === null) return setFailure(problem);
    form.setFieldError(field, problem.message);
    if (onFieldFailed) onFieldFailed(field);
    else focusField(form, field);
  };

  const send = async (values: Values) => {
    // Without the secret, the form would make a different change.
    const missing = restored?.dropped.find((field) => !values[field]);
    if (missing !== undefined) {
      form.setFieldError(missing, SECRET_AGAIN);
      return focusField(form, missing);
    }
    setIsBusy(true);
    setFailure(null);
    dismissDone();
    try {
      const result = await run(values);
      await onDone?.(result, values);
    } catch (error) {
      fail(asFailure(error), values);
    } finally {
      setIsBusy(false);
    }
  };
  const submit = form.onSubmit(
    (values) => void send(values),
    (errors) => focusField(form, Object.keys(errors)[0] ?? ""),
  );
  return {
    // Ignores a second submit while the first is in progress.
    onSubmit: (event) => (isBusy ? event?.preventDefault() : submit(event)),
    isBusy,
    failure,
    isRestored: restored !== null,
    needsSecretAgain: missingSecret !== null,
  };
}

const SECRET_AGAIN = "Enter the secret again: it was not saved while you signed in.";

/** Fills the form from its draft, if one exists. */
function useRestored<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  name: string,
): Draft<Partial<Values>> | null {
  const [restored, setRestored] = useState<Draft<Partial<Values>> | null>(null);
  const checked = useRef<string | null>(null);
  useEffect(() => {
    if (checked.current === name) return;
    checked.current = name;
    const draft = restoreDraft<Partial<Values>>(name);
    setRestored(draft);
    if (draft !== null) form.setValues(draft.values);
  }, [form, name]);
  return restored;
}

/** Maps the service's path to a form field: `input.returnUrls.0` to `returnUrls`. */
function fieldIn(values: Readonly<Record<string, unknown>>, path: string | null): string | null {
  if (path === null) return null;
  return path.split(".").find((part) => part in values) ?? null;
}

export function focusField<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  field: string,
): void {
  // After the message is rendered, so that screen readers announce it with the field.
  requestAnimationFrame(() => form.getInputNode(field)?.focus());
}
