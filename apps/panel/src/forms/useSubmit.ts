import type { UseFormReturnType } from "@mantine/form";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Failure } from "../api/failure.ts";
import { type Draft, restoreDraft, saveDraft } from "../session/drafts.ts";
import { useAction } from "./useAction.ts";

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
  const restored = useRestored(form, name);
  const droppedIn = (values: Values) => restored?.dropped.find((field) => !values[field]);
  const draftOf = (values: Values) => {
    const saved = Object.fromEntries(Object.entries(values).filter(([field]) => !secrets.includes(field)));
    return { name, values: saved, dropped: secrets.filter((field) => values[field]) };
  };
  const showAtField = (field: string, message: string) => {
    form.setFieldError(field, message);
    if (onFieldFailed) onFieldFailed(field);
    else focusField(form, field);
  };
  const onFailure = (problem: Failure, values: Values) => {
    if (problem.code === "UNAUTHENTICATED") {
      const draft = draftOf(values);
      saveDraft(name, draft.values, draft.dropped);
      return true;
    }
    const field = fieldIn(values, problem.field) ?? fieldIn(values, fieldOf?.(problem) ?? null);
    if (field !== null) showAtField(field, problem.message);
    return field !== null;
  };
  const act = async (values: Values) => {
    const result = await run(values);
    await onDone?.(result, values);
  };
  const { isBusy, failure, run: send } = useAction(act, { draftOf, onFailure });
  const submit = form.onSubmit(
    (values) => {
      const dropped = droppedIn(values);
      if (dropped === undefined) return void send(values);
      // Without the secret, the form would make a different change.
      form.setFieldError(dropped, SECRET_AGAIN);
      focusField(form, dropped);
    },
    (errors) => focusField(form, Object.keys(errors)[0] ?? ""),
  );
  return {
    // Ignores a second submit while the first is in progress.
    onSubmit: (event) => (isBusy ? event?.preventDefault() : submit(event)),
    isBusy,
    failure,
    isRestored: restored !== null,
    needsSecretAgain: droppedIn(form.getValues()) !== undefined,
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
