import { serviceTime, Timestamp } from "./Timestamp.tsx";

interface SeenInStepProps {
  /** The end of the step in which the latest call was counted. */
  readonly until: string;
  readonly hours: number;
}

/** When something that is counted in steps was last seen. */
export function SeenInStep({ until, hours }: SeenInStepProps) {
  if (new Date(until) > serviceTime())
    return <span style={{ whiteSpace: "nowrap" }}>in the last {hours === 1 ? "hour" : `${hours} hours`}</span>;
  return <Timestamp at={until} />;
}
