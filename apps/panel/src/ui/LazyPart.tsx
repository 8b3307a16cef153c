import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { loadCode } from "../connection/connection.ts";
import { Loaded } from "./Loaded.tsx";

interface LazyPartProps<Part> {
  /** Unique within the panel. */
  readonly name: string;
  /** Imports the component. */
  readonly load: () => Promise<Part>;
  readonly children: (part: Part) => ReactNode;
}

/** A part of a page whose code is loaded when it is first shown; the rest of the page stays, with its input. */
export function LazyPart<Part>({ name, load, children }: LazyPartProps<Part>) {
  const query = useQuery({
    queryKey: ["code", name],
    queryFn: async () => ({ part: await loadCode(load) }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return <Loaded query={query}>{({ part }) => children(part)}</Loaded>;
}
