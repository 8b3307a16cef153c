import type { Refusal } from "@social-connect/domain";
import { AppError } from "./appError.ts";

/** Throws what a rule of the domain refused; does nothing when it allowed. */
export function enforce(violation: Refusal | null): void {
  if (violation !== null) throw new AppError(violation);
}
