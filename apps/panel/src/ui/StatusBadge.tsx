import type { ReactNode } from "react";
import classes from "./StatusBadge.module.css";

/** good: works; idle: intentionally inactive; waiting: needs attention; bad: does not work. */
export type Tone = "good" | "idle" | "waiting" | "bad";

/** The label states the status; the color is only an addition. */
export function StatusBadge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  );
}
