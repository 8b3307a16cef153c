import { useRouter } from "@tanstack/react-router";
import type { ReactNode, RefObject } from "react";
import { createContext, useContext, useEffect, useRef } from "react";

/** True from the moment a person goes to another page until that page's heading takes the focus. */
const Awaited = createContext<RefObject<boolean> | null>(null);

/**
 * A page that is swapped for another without a load leaves the focus on what is gone. So the new page's heading takes it,
 * which also makes a screen reader say where one is.
 */
export function FocusOnNavigation({ children }: { readonly children: ReactNode }) {
  const router = useRouter();
  const awaited = useRef(false);
  useEffect(
    () =>
      router.subscribe("onBeforeNavigate", ({ pathChanged, fromLocation }) => {
        if (pathChanged && fromLocation !== undefined) awaited.current = true;
      }),
    [router],
  );
  return <Awaited value={awaited}>{children}</Awaited>;
}

/** For the heading of a page, or the part of it that is new; `name` tells those of different pages apart. */
export function useHeadingFocus<Heading extends HTMLElement = HTMLHeadingElement>(
  name: string,
): RefObject<Heading | null> {
  const heading = useRef<Heading>(null);
  const awaited = useContext(Awaited);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another name is another page
  useEffect(() => {
    if (awaited?.current !== true) return;
    awaited.current = false;
    heading.current?.focus({ preventScroll: true });
  }, [awaited, name]);
  return heading;
}
