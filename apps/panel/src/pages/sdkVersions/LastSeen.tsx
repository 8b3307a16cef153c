import { SeenInStep } from "../../ui/SeenInStep.tsx";

const HOUR_MS = 3_600_000;

/** Calls are counted by hour; `at` is when the hour of the last one began. */
export function LastSeen({ at }: { readonly at: string }) {
  return <SeenInStep until={new Date(Date.parse(at) + HOUR_MS).toISOString()} hours={1} />;
}
