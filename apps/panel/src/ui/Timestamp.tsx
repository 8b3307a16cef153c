import { VisuallyHidden } from "@mantine/core";
import { readSession } from "../session/session.ts";
import { formatExactTime } from "./dates.ts";
import { formatRelativeTime } from "./relativeTime.ts";
import classes from "./Timestamp.module.css";

/**
 * A time relative to now. Its exact time is its tooltip, part of its name for screen readers, and shown beside it while the
 * focus is on its row or its link.
 */
export function Timestamp({ at }: { readonly at: string | null }) {
  if (at === null) return <>never</>;
  const date = new Date(at);
  const relative = formatRelativeTime(date, serviceTime());
  const exact = formatExactTime(date);
  return (
    <time dateTime={at} title={exact} data-exact={exact} className={classes.time}>
      {relative}
      <VisuallyHidden component="span">, {exact}</VisuallyHidden>
    </time>
  );
}

/** The service's clock, which decides what is past and what is future. */
export function serviceTime(): Date {
  return new Date(Date.now() + (readSession()?.aheadMs ?? 0));
}
