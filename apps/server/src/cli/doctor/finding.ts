/** The result of one check. */
export interface Finding {
  /** What was checked, e.g. `database`. */
  readonly check: string;
  /** `skipped`: it depends on a check that failed, or does not apply. */
  readonly status: "ok" | "warning" | "failed" | "skipped";
  /** What was found. Never a secret. */
  readonly message: string;
  /** What to do; null if nothing is to be done. */
  readonly remedy: string | null;
}

export function ok(check: string, message: string): Finding {
  return { check, status: "ok", message, remedy: null };
}

export function skipped(check: string, message: string): Finding {
  return { check, status: "skipped", message, remedy: null };
}

export function failed(check: string, message: string, remedy: string): Finding {
  return { check, status: "failed", message, remedy };
}

export function warning(check: string, message: string, remedy: string): Finding {
  return { check, status: "warning", message, remedy };
}
