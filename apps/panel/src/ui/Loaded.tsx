import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { asFailure } from "../api/failure.ts";
import { FailureNote } from "./FailureNote.tsx";

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error" | "isPending" | "refetch">;
  /** Number of skeleton lines while the query loads. */
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}

/** Renders a query: a skeleton while it loads, its failure, or the children with its data. */
export function Loaded<Data>({ query, lines = 4, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error !== null) {
    return <FailureNote failure={asFailure(query.error)} onRetry={() => void query.refetch()} />;
  }
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change
        <Skeleton key={line} height={20} width={line % 2 === 0 ? "100%" : "72%"} aria-hidden />
      ))}
    </Stack>
  );
}
