import { readSession } from "../session/session.ts";
import { formatRelativeTime } from "./relativeTime.ts";

/** A moment, as far as it is from now; the exact time is its title. */
export function Timestamp({ at, ifNone = "never" }: { readonly at: string | null; readonly ifNone?: string }) {
  if (at === null) return <>{ifNone}</>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={date.toLocaleString("en", { dateStyle: "full", timeStyle: "long" })}>
      {formatRelativeTime(date, serviceTime())}
    </time>
  );
}

/** The service's time: what is past and what is to come is for it to say. */
export function serviceTime(): Date {
  return new Date(Date.now() + (readSession()?.aheadMs ?? 0));
}
