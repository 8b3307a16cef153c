/** The properties by which the errors of `fetch` differ among runtimes and libraries. */
export interface Link {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly hostname?: unknown;
  readonly port?: unknown;
  readonly path?: unknown;
  readonly type?: unknown;
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
  /** Empty for an error without a text. */
  readonly message: string;
}

/** An error can be its own cause. */
const MAX_CAUSES = 5;

/** An error and its causes. The cause of several failed addresses is the first one. */
export function chainOf(error: unknown): readonly Link[] {
  const chain: Link[] = [];
  for (let current = error; typeof current === "object" && current !== null && chain.length < MAX_CAUSES; ) {
    const link = linkOf(current);
    chain.push(link);
    current = link.cause ?? (Array.isArray(link.errors) ? link.errors[0] : undefined);
  }
  return chain;
}

/** A copy, because properties of a caller's own errors may throw. */
function linkOf(error: Partial<Link>): Link {
  try {
    const { name, code, syscall, hostname, port, path, type, status, statusCode, cause, errors } = error;
    const message = typeof error.message === "string" ? error.message : "";
    return { name, code, syscall, hostname, port, path, type, status, statusCode, cause, errors, message };
  } catch {
    return { message: "" };
  }
}
