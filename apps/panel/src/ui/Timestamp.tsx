import { readSession } from "../session/session.ts";
import { formatRelativeTime } from "./relativeTime.ts";

/** A time relative to now, with the exact time as its tooltip. */
export function Timestamp({ at }: { readonly at: string | null }) {
  if (at === null) return <>never</>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={date.toLocaleString("en", { dateStyle: "full", timeStyle: "long" })}>
      {formatRelativeTime(date, serviceTime())}
    </time>
  );
}

/** The service's clock, which decides what is past and what is future. */
export function serviceTime(): Date {
  return new Date(Date.now() + (readSession()?.aheadMs ?? 0));
}
