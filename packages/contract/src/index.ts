export * from "./codes.ts";
export * from "./enums.ts";
export * from "./events.ts";
export * from "./limits.ts";
export * from "./names.ts";
export * from "./operations.ts";
export * from "./printable.ts";
