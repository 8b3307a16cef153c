import { type RefCallback, useCallback } from "react";

/** A ref whose element's height, in pixels, is a variable of the page's style sheets while the element is there. */
export function useHeightVariable(name: `--${string}`): RefCallback<HTMLElement> {
  return useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined;
      const { style } = document.documentElement;
      const observer = new ResizeObserver(() => style.setProperty(name, `${element.offsetHeight}px`));
      observer.observe(element);
      return () => {
        observer.disconnect();
        style.removeProperty(name);
      };
    },
    [name],
  );
}
