import type { ReactNode } from "react";
import classes from "./StatusBadge.module.css";

/** good: it works; idle: it is meant not to; waiting: somebody has to look; bad: it does not. */
export type Tone = "good" | "idle" | "waiting" | "bad";

/** A state in a word; the word says it, the colour only helps. */
export function StatusBadge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  );
}
