/** The files with read-safe cases, for a package that bundles only these. */
export * from "./admin/classes.ts";
export * from "./admin/transport.ts";
export * from "./authentication.ts";
export * from "./badInput.ts";
export * from "./connections.ts";
export * from "./readiness.ts";
export * from "./transport.ts";
