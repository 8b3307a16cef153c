import { useLocation, useNavigate } from "@tanstack/react-router";

declare module "@tanstack/react-router" {
  interface HistoryState {
    choices?: Readonly<Record<string, unknown>>;
  }
}

/** A choice on this page, such as an order, that Back, Forward and a reload restore. `name` is unique within the page. */
export function useEntryState<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const choices = useLocation({ select: ({ state }) => state.choices });
  const navigate = useNavigate();
  const set = (value: Value) =>
    void navigate({
      to: ".",
      search: true,
      hash: true,
      replace: true,
      resetScroll: false,
      state: (state) => ({ ...state, choices: { ...state.choices, [name]: value } }),
    });
  return [(choices?.[name] as Value | undefined) ?? initial, set];
}
