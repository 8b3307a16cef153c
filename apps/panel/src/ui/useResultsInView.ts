import { type RefObject, useEffect, useRef } from "react";

/** Scrolls to the results of a search that are below the window, as on a phone below the form. */
export function useResultsInView(search: unknown): RefObject<HTMLDivElement | null> {
  const results = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each search has results
  useEffect(() => {
    const top = results.current?.getBoundingClientRect().top ?? 0;
    if (top > window.innerHeight / 2) results.current?.scrollIntoView();
  }, [search]);
  return results;
}
