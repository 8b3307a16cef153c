import classes from "./StatusBadge.module.css";

/** What a badge shows. The label states the status; the color is only an addition. */
export interface Status {
  readonly label: string;
  /** good: works; idle: intentionally inactive; waiting: needs attention; bad: does not work. */
  readonly tone: "good" | "idle" | "waiting" | "bad";
}

export function StatusBadge({ label, tone }: Status) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {label}
    </span>
  );
}
