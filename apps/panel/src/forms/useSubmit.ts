import type { UseFormReturnType } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useEffect, useRef, useState } from "react";
import type { Failure } from "../api/failure.ts";
import { asFailure, mayBeDone } from "../api/failure.ts";
import { useAskToConfirm } from "../confirmation/ConfirmationProvider.tsx";
import type { Draft } from "../session/drafts.ts";
import { restoreDraft, saveDraft } from "../session/drafts.ts";

export interface SubmitOptions<Values, Answer> {
  /** Tells forms of the panel apart; has the id in it of what is edited. */
  readonly name: string;
  readonly run: (values: Values) => Promise<Answer>;
  readonly onDone?: (answer: Answer, values: Values) => unknown;
  /** Which field a failure belongs to that names none of the form's, e.g. by its reason; null: to the form as a whole. */
  readonly fieldOf?: (failure: Failure) => string | null;
  /** Called before a field takes the focus for its failure: where it is not on the screen, it has to be brought there. */
  readonly onFieldFailed?: (field: string) => void;
  /** Fields that are never kept while the person is away for a confirmation. */
  readonly secrets?: readonly (keyof Values & string)[];
}

export interface Submit {
  readonly onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  readonly isBusy: boolean;
  /** What belongs to no field. */
  readonly failure: Failure | null;
  /** The form was filled with what it held before a confirmation. */
  readonly isRestored: boolean;
  /** A secret was filled in before the confirmation, and has to be entered again. */
  readonly needsSecretAgain: boolean;
  readonly clearFailure: () => void;
}

/**
 * Sends a form: a failure lands at its field, which takes the focus, or above the form; what needs a confirmation gets it,
 * and the form is filled again afterwards.
 */
export function useSubmit<Values extends Record<string, unknown>, Answer>(
  form: UseFormReturnType<Values>,
  { name, run, onDone, fieldOf, onFieldFailed, secrets = [] }: SubmitOptions<Values, Answer>,
): Submit {
  const askToConfirm = useAskToConfirm();
  const queries = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const restored = useRestored(form, name);
  const missingSecret = restored?.dropped.find((field) => !form.getValues()[field]) ?? null;

  const fail = (problem: Failure, values: Values) => {
    const kept = Object.fromEntries(Object.entries(values).filter(([field]) => !secrets.includes(field)));
    const dropped = secrets.filter((field) => values[field]);
    if (problem.code === "CONFIRMATION_REQUIRED") return askToConfirm({ draft: { name, values: kept, dropped } });
    if (problem.code === "UNAUTHENTICATED") return saveDraft(name, kept, dropped);
    // The page is to show what became of it.
    if (mayBeDone(problem)) void queries.invalidateQueries();
    const field = fieldIn(values, problem.field) ?? fieldIn(values, fieldOf?.(problem) ?? null);
    if (field === null) return setFailure(problem);
    form.setFieldError(field, problem.message);
    if (onFieldFailed) onFieldFailed(field);
    else focusField(form, field);
  };

  const send = async (values: Values) => {
    // Sent without it, the change would be another one than the person asked for.
    const missing = restored?.dropped.find((field) => !values[field]);
    if (missing !== undefined) {
      form.setFieldError(missing, SECRET_AGAIN);
      return focusField(form, missing);
    }
    setIsBusy(true);
    setFailure(null);
    try {
      const answer = await run(values);
      await onDone?.(answer, values);
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
    // A second press while the first is under way is not a second wish.
    onSubmit: (event) => (isBusy ? event?.preventDefault() : submit(event)),
    isBusy,
    failure,
    isRestored: restored !== null,
    needsSecretAgain: missingSecret !== null,
    clearFailure: () => setFailure(null),
  };
}

const SECRET_AGAIN = "Enter the secret again: it was not stored while you signed in.";

/** Fills the form with its draft, if there is one. */
function useRestored<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  name: string,
): Draft<Partial<Values>> | null {
  const [restored, setRestored] = useState<Draft<Partial<Values>> | null>(null);
  const looked = useRef<string | null>(null);
  useEffect(() => {
    if (looked.current === name) return;
    looked.current = name;
    const draft = restoreDraft<Partial<Values>>(name);
    setRestored(draft);
    if (draft !== null) form.setValues(draft.values);
  }, [form, name]);
  return restored;
}

/** The form's own field for the service's: `input.returnUrls.0` is shown at `returnUrls`. */
function fieldIn(values: Readonly<Record<string, unknown>>, path: string | null): string | null {
  if (path === null) return null;
  return path.split(".").find((part) => part in values) ?? null;
}

export function focusField<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  field: string,
): void {
  // After the message is there, so that it is read along with the field.
  requestAnimationFrame(() => form.getInputNode(field)?.focus());
}
