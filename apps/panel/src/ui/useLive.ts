import { useEffect, useRef } from "react";
import { isIdle } from "../session/presence.ts";

/** How often the data of a visible page is read again. */
export const REFRESH_MS = 30_000;
/** The same while an admin waits until an old key is no longer used. */
export const ROTATION_REFRESH_MS = 10_000;

interface LiveQuery {
  readonly refetch: (options: { readonly cancelRefetch: boolean }) => unknown;
}

/**
 * Reads a query again at intervals while the page is visible, and when it becomes visible. The page's elements stay, and
 * with them the focus, the scroll position and what was typed.
 */
export function useLive({ refetch }: LiveQuery, everyMs: number | null = REFRESH_MS): void {
  const latest = useRef(refetch);
  latest.current = refetch;
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => {
      // The query library reads it again when the page becomes visible.
      if (document.visibilityState === "visible" && !isIdle()) void latest.current({ cancelRefetch: false });
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
