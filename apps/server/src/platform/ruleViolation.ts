import type { RuleViolation } from "@social-connect/domain";
import { AppError } from "./appError.ts";

/** Throws what a rule of the domain refused; does nothing when it allowed. */
export function enforce(violation: RuleViolation | null): void {
  if (violation !== null) throw new AppError(violation);
}
