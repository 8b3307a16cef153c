/**
 * Why there was nothing to judge: `options` are wrong; the address is `unreachable`; what answers there is `not-the-service`;
 * the `key` or the tenant is none of its; the check was `unfinished` when its time, its requests or its caller's patience
 * were over.
 */
export type DriftCheckProblem = "options" | "unreachable" | "not-the-service" | "key" | "unfinished";

/** A service could not be checked, which says nothing of whether it differs. */
export class DriftCheckError extends Error {
  /** What kept it from being checked. */
  readonly problem: DriftCheckProblem;

  constructor(problem: DriftCheckProblem, message: string) {
    super(message);
    this.name = "DriftCheckError";
    this.problem = problem;
  }
}
