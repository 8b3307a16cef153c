import { useQuery } from "@tanstack/react-query";
import { type Counts, willTouch } from "./touchedText.ts";

interface CountedTouchProps {
  readonly queryKey: readonly unknown[];
  readonly read: () => Promise<Counts>;
}

/** How much an action affects, counted again whenever its dialog opens. */
export function CountedTouch({ queryKey, read }: CountedTouchProps) {
  const { data, isError } = useQuery({ queryKey, queryFn: read, staleTime: 0, gcTime: 0 });
  if (isError) return <>What it affects could not be counted.</>;
  return <>{data === undefined ? "Counting what it affects…" : willTouch(data)}</>;
}
