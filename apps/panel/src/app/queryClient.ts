import { QueryClient } from "@tanstack/react-query";
import { Failure } from "../api/failure.ts";

/** Only what may go better by itself is tried again. */
function isPassing(error: unknown): boolean {
  return !(error instanceof Failure) || error.code === "UPSTREAM_UNAVAILABLE" || error.code === "UNREACHABLE";
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Another admin may be at work: what is shown is read anew when a page is opened and when one comes back to it.
      staleTime: 5_000,
      retry: (count, error) => count < 1 && isPassing(error),
    },
    mutations: { retry: false },
  },
});
