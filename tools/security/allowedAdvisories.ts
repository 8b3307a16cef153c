import type { Allowance } from "./audit.ts";

/** Reviewed findings. An entry contains the advisory's id, why it is harmless here, and its expiry date. */
export const ALLOWED_ADVISORIES: readonly Allowance[] = [];
