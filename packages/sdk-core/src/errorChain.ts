/** The properties by which the errors of `fetch` differ among runtimes and libraries. */
export interface Link {
  readonly name?: unknown;
  /** Empty for an error without a text. */
  readonly message: string;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
  readonly syscall?: unknown;
  readonly hostname?: unknown;
  readonly port?: unknown;
  readonly path?: unknown;
  readonly type?: unknown;
  readonly status?: unknown;
  readonly statusCode?: unknown;
}

/** An error can be its own cause. */
const MAX_CAUSES = 5;

/** An error and its causes. The cause of several failed addresses is the first one. */
export function chainOf(error: unknown): readonly Link[] {
  const chain: Link[] = [];
  for (let current = error; typeof current === "object" && current !== null && chain.length < MAX_CAUSES; ) {
    const link = propertiesOf(current);
    chain.push(link);
    current = link.cause ?? (Array.isArray(link.errors) ? link.errors[0] : undefined);
  }
  return chain;
}

/** A copy, because properties of a caller's own errors may throw. */
function propertiesOf(error: object): Link {
  try {
    const {
      message,
      name,
      code,
      cause,
      errors,
      syscall,
      hostname,
      port,
      path,
      type,
      status,
      statusCode,
    }: Partial<Link> = error;
    const text = typeof message === "string" ? message : "";
    return { message: text, name, code, cause, errors, syscall, hostname, port, path, type, status, statusCode };
  } catch {
    return { message: "" };
  }
}
