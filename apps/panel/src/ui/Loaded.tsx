import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { asFailure } from "../api/failure.ts";
import { FailureNote } from "./FailureNote.tsx";

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error" | "isPending" | "refetch">;
  /** How many lines are drawn while it loads. */
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}

/** What a query brings: a sketch while it is on its way, the failure when it did not come, and else the page's own. */
export function Loaded<Data>({ query, lines = 4, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error !== null) {
    const failure = asFailure(query.error);
    // What is not there will not be there the next time.
    const retry = failure.code === "NOT_FOUND" ? {} : { onRetry: () => void query.refetch() };
    return <FailureNote failure={failure} {...retry} />;
  }
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <Skeleton key={line} height={20} width={line % 2 === 0 ? "100%" : "72%"} aria-hidden />
      ))}
    </Stack>
  );
}
