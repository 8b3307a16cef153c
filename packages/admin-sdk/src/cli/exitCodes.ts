/** How the command ends, for scripts. From 64 on they are those of sysexits.h. */
export const EXIT = {
  /** Done; for `plan --exit-code`: nothing to change. */
  done: 0,
  /** The service refused, or a step of a plan failed. */
  failed: 1,
  /** `plan --exit-code`: there is something to change. */
  differs: 2,
  /** The client changed after it was planned: plan again. */
  stale: 3,
  /** It is not known whether a step was applied: plan again, which starts from what is. */
  unknown: 4,
  /** Not started: it was not confirmed, removes something without permission, or has an obstacle. */
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
  /** Ended by Ctrl-C or a signal. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
