import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { restoreDraft } from "../../session/drafts.ts";

/** A user of a client. */
export interface PersonScope {
  readonly clientSlug: string;
  readonly tenantKey: string | null;
  readonly externalSubjectId: string;
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    person?: PersonScope;
  }
}

/** What was entered before a confirmation. */
export interface PersonDraft extends PersonScope {
  readonly action: PersonAction;
  readonly reason: string;
  readonly typed: string;
}
export type PersonAction = "export" | "erase";
export const PERSON_DRAFT = "person";

/** The page's user. Not in the URL, because it names a user, but in this entry of the browser's history. */
export function usePerson(): { readonly scope: PersonScope | null; readonly draft: PersonDraft | null } {
  const shown = useLocation({ select: ({ state }) => state.person ?? null });
  const navigate = useNavigate();
  const [draft] = useState(() => restoreDraft<PersonDraft>(PERSON_DRAFT)?.values ?? null);
  useEffect(() => {
    if (shown !== null || draft === null) return;
    const { clientSlug, tenantKey, externalSubjectId } = draft;
    const person = { clientSlug, tenantKey, externalSubjectId };
    void navigate({ to: "/support/person", replace: true, state: (state) => ({ ...state, person }) });
  }, [shown, draft, navigate]);
  return { scope: shown, draft };
}
