import { QueryClient } from "@tanstack/react-query";
import { Failure } from "../api/failure.ts";

function isTransient(error: unknown): boolean {
  return !(error instanceof Failure) || error.code === "UPSTREAM_UNAVAILABLE" || error.code === "UNREACHABLE";
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Other admins make changes concurrently, so a page refetches when it is opened or focused.
      staleTime: 5_000,
      retry: (count, error) => count < 1 && isTransient(error),
    },
    mutations: { retry: false },
  },
});
