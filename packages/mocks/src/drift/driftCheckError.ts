/**
 * Why a check failed: invalid `options`, an `unreachable` address, an address that is `not-the-service`, an invalid `key` or
 * tenant, or an `unfinished` check that reached a limit or was aborted.
 */
export type DriftCheckProblem = "options" | "unreachable" | "not-the-service" | "key" | "unfinished";

/** A service could not be checked. */
export class DriftCheckError extends Error {
  /** Why the check failed. */
  readonly problem: DriftCheckProblem;

  constructor(problem: DriftCheckProblem, message: string) {
    super(message);
    this.name = "DriftCheckError";
    this.problem = problem;
  }
}
