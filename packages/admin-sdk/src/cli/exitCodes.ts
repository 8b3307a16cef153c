/** Exit codes of the command. Codes from 64 are those of sysexits.h. */
export const EXIT = {
  /** Success; for `plan --exit-code`: no changes. */
  done: 0,
  /** The service rejected the request, or a step of a plan failed. */
  failed: 1,
  /** `plan --exit-code`: there are changes. */
  differs: 2,
  /** The client changed after it was planned: plan again. */
  stale: 3,
  /** It is unknown whether a step was applied: plan again from the current state. */
  unknown: 4,
  /** Not started: not confirmed, destructive without permission, or with an obstacle. */
  refused: 5,
  usage: 64,
  declaration: 65,
  noInput: 66,
  unavailable: 69,
  internal: 70,
  noOutput: 73,
  protocol: 76,
  notPermitted: 77,
  configuration: 78,
  /** Terminated by Ctrl-C or a signal. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
