/** The properties by which the errors of `fetch` differ among runtimes and libraries. */
const PROPERTIES = [
  "name",
  "code",
  "cause",
  "errors",
  "syscall",
  "hostname",
  "port",
  "path",
  "type",
  "status",
  "statusCode",
] as const;

export interface Link extends Readonly<Partial<Record<(typeof PROPERTIES)[number], unknown>>> {
  /** Empty for an error without a text. */
  readonly message: string;
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
    const message: unknown = Reflect.get(error, "message");
    const copied = Object.fromEntries(PROPERTIES.map((name) => [name, Reflect.get(error, name)]));
    return { ...copied, message: typeof message === "string" ? message : "" };
  } catch {
    return { message: "" };
  }
}
