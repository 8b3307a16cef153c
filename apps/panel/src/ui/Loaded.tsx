import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { asFailure } from "../api/failure.ts";
import { FailureNote } from "./FailureNote.tsx";
import { LinesSkeleton, Loading, SectionsSkeleton } from "./Skeletons.tsx";

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error" | "isPending" | "refetch">;
  /** About how many lines it fills of a section. */
  readonly lines?: number;
  /** The sections that it fills, each by about how many lines it has. */
  readonly sections?: readonly number[];
  readonly children: (data: Data) => ReactNode;
}

/** Renders a query: a skeleton while it loads, its failure, or the children with its data. */
export function Loaded<Data>({ query, lines = 4, sections, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error !== null) {
    return <FailureNote failure={asFailure(query.error)} onRetry={() => void query.refetch()} />;
  }
  return <Loading>{sections ? <SectionsSkeleton lines={sections} /> : <LinesSkeleton count={lines} />}</Loading>;
}
