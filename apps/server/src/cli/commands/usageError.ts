/** A wrong command line: printed with a hint, exit code 2. */
export class UsageError extends Error {}
