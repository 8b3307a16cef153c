import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./Section.module.css";

/** What a part of a page shows while it loads, in about the size that it will have. */
export function Loading({ children }: { readonly children: ReactNode }) {
  return (
    // The page's last line waits for it: see Shell.module.css.
    <div role="status" data-loading>
      <VisuallyHidden>Loading</VisuallyHidden>
      {children}
    </div>
  );
}

export function LinesSkeleton({ count }: { readonly count: number }) {
  return (
    <Stack gap="sm" aria-hidden>
      {Array.from({ length: count }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change
        <Skeleton key={line} height={20} width={line % 2 === 0 ? "100%" : "72%"} />
      ))}
    </Stack>
  );
}

/** Sections, each with so many lines. */
export function SectionsSkeleton({ lines }: { readonly lines: readonly number[] }) {
  return lines.map((count, section) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the sections never change
    <div key={section} className={classes.section} aria-hidden>
      <Skeleton height={20} width={180} mb={20} />
      <LinesSkeleton count={count} />
    </div>
  ));
}
