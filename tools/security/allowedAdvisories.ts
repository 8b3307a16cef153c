import type { Allowance } from "./audit.ts";

/** Findings that were looked at. An entry gives the advisory's id, why it does no harm here, and the last day it stands. */
export const ALLOWED_ADVISORIES: readonly Allowance[] = [];
