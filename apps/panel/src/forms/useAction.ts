import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asFailure, type Failure, mayHaveBeenApplied } from "../api/failure.ts";
import { type Confirmation, useConfirmationPrompt } from "../confirmation/ConfirmationProvider.tsx";
import { dismissDone } from "../ui/notify.ts";

export interface Action {
  /** Resolves to true if the action succeeded. */
  readonly run: () => Promise<boolean>;
  readonly isBusy: boolean;
  readonly failure: Failure | null;
  readonly clearFailure: () => void;
}

/** Runs an action without a form and prompts for a confirmation if needed. `draftOf` is restored after the confirmation. */
export function useAction(act: () => Promise<unknown>, draftOf?: () => Confirmation["draft"]): Action {
  const promptForConfirmation = useConfirmationPrompt();
  const queries = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = async () => {
    if (isBusy) return false;
    setIsBusy(true);
    setFailure(null);
    dismissDone();
    try {
      await act();
      return true;
    } catch (error) {
      const problem = asFailure(error);
      // Refetches, so that the page shows whether the change was applied.
      if (mayHaveBeenApplied(problem)) void queries.invalidateQueries();
      if (problem.code === "CONFIRMATION_REQUIRED") {
        const draft = draftOf?.();
        promptForConfirmation(draft === undefined ? {} : { draft });
      } else setFailure(problem);
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { run, isBusy, failure, clearFailure: () => setFailure(null) };
}
