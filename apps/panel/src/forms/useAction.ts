import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asFailure, type Failure, mayHaveBeenApplied } from "../api/failure.ts";
import { type Confirmation, useConfirmationPrompt } from "../confirmation/ConfirmationProvider.tsx";
import { dismissDone } from "../ui/notify.ts";

export interface Action<Input extends readonly unknown[]> {
  /** Resolves to true if the action succeeded. */
  readonly run: (...input: Input) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly failure: Failure | null;
  readonly clearFailure: () => void;
}

interface ActionOptions<Input extends readonly unknown[]> {
  /** What to restore after a confirmation. */
  readonly draftOf?: ((...input: Input) => Confirmation["draft"]) | undefined;
  /** Shows a failure elsewhere; returns whether it did. */
  readonly onFailure?: (failure: Failure, ...input: Input) => boolean;
}

/** Runs an action and prompts for a confirmation if needed. */
export function useAction<Input extends readonly unknown[]>(
  act: (...input: Input) => Promise<unknown>,
  { draftOf, onFailure }: ActionOptions<Input> = {},
): Action<Input> {
  const promptForConfirmation = useConfirmationPrompt();
  const queries = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = async (...input: Input) => {
    if (isBusy) return false;
    setIsBusy(true);
    setFailure(null);
    dismissDone();
    try {
      await act(...input);
      return true;
    } catch (error) {
      const problem = asFailure(error);
      // Refetches, so that the page shows whether the change was applied.
      if (mayHaveBeenApplied(problem)) void queries.invalidateQueries();
      if (problem.code === "CONFIRMATION_REQUIRED") {
        const draft = draftOf?.(...input);
        promptForConfirmation(draft === undefined ? {} : { draft });
      } else if (onFailure?.(problem, ...input) !== true) setFailure(problem);
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { run, isBusy, failure, clearFailure: () => setFailure(null) };
}
