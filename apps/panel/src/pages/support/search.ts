import { useLocation, useNavigate } from "@tanstack/react-router";

/** What an admin searches for: a client's user, or an id. */
export type SupportSearch =
  | {
      readonly kind: "user";
      readonly clientSlug: string;
      readonly tenantKey: string;
      readonly externalSubjectId: string;
    }
  | { readonly kind: "id"; readonly id: string };

declare module "@tanstack/react-router" {
  interface HistoryState {
    supportSearch?: SupportSearch;
  }
}

/**
 * The search of this entry of the browser's history, so that Back shows its results again. It is not in the URL, because it
 * names a user.
 */
export function useSupportSearch(): [SupportSearch | null, (search: SupportSearch | null) => void] {
  const shown = useLocation({ select: ({ state }) => state.supportSearch ?? null });
  const navigate = useNavigate();
  const show = (search: SupportSearch | null) =>
    void navigate({
      to: "/support",
      replace: true,
      resetScroll: false,
      state: ({ supportSearch: _, ...state }) => (search === null ? state : { ...state, supportSearch: search }),
    });
  return [shown, show];
}
