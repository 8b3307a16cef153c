import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Failure } from "../api/failure.ts";
import { asFailure, mayBeDone } from "../api/failure.ts";
import type { Confirmation } from "../confirmation/ConfirmationProvider.tsx";
import { useAskToConfirm } from "../confirmation/ConfirmationProvider.tsx";

export interface Action {
  /** True when it was done. */
  readonly run: () => Promise<boolean>;
  readonly isBusy: boolean;
  readonly failure: Failure | null;
  readonly clearFailure: () => void;
}

/**
 * Something that a button does without a form; what needs a confirmation gets it. `draftOf` gives what the page has to find
 * again when the person is back.
 */
export function useAction(act: () => Promise<unknown>, draftOf?: () => Confirmation["draft"]): Action {
  const askToConfirm = useAskToConfirm();
  const queries = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = async () => {
    if (isBusy) return false;
    setIsBusy(true);
    setFailure(null);
    try {
      await act();
      return true;
    } catch (error) {
      const problem = asFailure(error);
      // The page is to show what became of it.
      if (mayBeDone(problem)) void queries.invalidateQueries();
      if (problem.code === "CONFIRMATION_REQUIRED") {
        const draft = draftOf?.();
        askToConfirm(draft === undefined ? {} : { draft });
      } else setFailure(problem);
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { run, isBusy, failure, clearFailure: () => setFailure(null) };
}
