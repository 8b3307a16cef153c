import { QueryClient } from "@tanstack/react-query";
import { Failure } from "../api/failure.ts";
import { onReconnect } from "../connection/connection.ts";

function isTransient(error: unknown): boolean {
  // A request without a response was followed by a check of the connection.
  return !(error instanceof Failure) || error.code === "UPSTREAM_UNAVAILABLE";
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A browser without a network may reach a service on the same machine, so only a request decides.
      networkMode: "always",
      refetchOnReconnect: false,
      // Other admins make changes concurrently, so a page refetches when it is opened or focused.
      staleTime: 5_000,
      retry: (count, error) => count < 1 && isTransient(error),
    },
    mutations: { retry: false },
  },
});

onReconnect(() => void queryClient.invalidateQueries());
