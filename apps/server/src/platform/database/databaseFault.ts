/** The error of PostgreSQL, which the driver throws itself and Prisma within its own error. */
export function databaseFault(error: Error): { readonly state: string; readonly message: string } | null {
  const { code, severity, meta } = error as {
    readonly code?: unknown;
    readonly severity?: unknown;
    readonly meta?: { readonly driverAdapterError?: { readonly cause?: Readonly<Record<string, unknown>> } };
  };
  if (typeof code === "string" && typeof severity === "string") return { state: code, message: error.message };
  const { originalCode: state, originalMessage: message } = meta?.driverAdapterError?.cause ?? {};
  return typeof state === "string" && typeof message === "string" ? { state, message } : null;
}
