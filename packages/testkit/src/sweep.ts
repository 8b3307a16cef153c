/**
 * Whether tests check every combination of what they sweep: `SWEEP=all pnpm test`. Otherwise they take a sample that
 * contains every value, but not with every other one.
 */
export const SWEEPS_ALL = process.env["SWEEP"] === "all";
