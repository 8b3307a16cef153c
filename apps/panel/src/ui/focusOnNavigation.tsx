import { useRouter } from "@tanstack/react-router";
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef } from "react";

/** True from the start of a navigation until the new page's heading receives the focus. */
const IsNavigating = createContext<RefObject<boolean> | null>(null);

/** Moves the focus to the new page's heading after a client-side navigation, so that screen readers announce the page. */
export function FocusOnNavigation({ children }: { readonly children: ReactNode }) {
  const router = useRouter();
  const isNavigating = useRef(false);
  useEffect(
    () =>
      router.subscribe("onBeforeNavigate", ({ pathChanged, fromLocation }) => {
        if (pathChanged && fromLocation !== undefined) isNavigating.current = true;
      }),
    [router],
  );
  return <IsNavigating value={isNavigating}>{children}</IsNavigating>;
}

/** For the heading of a page or section; `name` identifies the page. */
export function useHeadingFocus<Heading extends HTMLElement = HTMLHeadingElement>(
  name: string,
): RefObject<Heading | null> {
  const heading = useRef<Heading>(null);
  const isNavigating = useContext(IsNavigating);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a different name is a different page
  useEffect(() => {
    if (isNavigating?.current !== true) return;
    isNavigating.current = false;
    heading.current?.focus({ preventScroll: true });
  }, [isNavigating, name]);
  return heading;
}
