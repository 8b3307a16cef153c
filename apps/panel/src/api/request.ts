import { endSession, readSession, refreshSession } from "../session/session.ts";
import type { Document, VariablesOf } from "./document.ts";
import type { FailureCode } from "./failure.ts";
import { Failure } from "./failure.ts";

interface WireError {
  readonly message: string;
  readonly extensions?: {
    readonly code?: string;
    readonly correlationId?: string;
    readonly reason?: string;
    readonly field?: string;
  };
}

interface WireAnswer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly WireError[];
}

const ENDPOINT = "/panel/graphql";

const NOT_REACHED = "The service cannot be reached. Check your connection.";
/** Of a change without an answer nobody here can say what became of it. */
const LOST = "No answer came. The change may have been made all the same: look before you repeat it.";
const UNFINISHED =
  "The service could not finish this. The change may have been made all the same: look before you repeat it.";

/** Sends one operation in the session of this browser; throws a `Failure` when it did not do what it was to do. */
export async function request<Data, Variables>(
  document: Document<Data, Variables>,
  ...[variables]: VariablesOf<Variables>
): Promise<Data> {
  const token = readSession()?.csrfToken ?? null;
  try {
    return await send<Data>(document.toString(), variables, token);
  } catch (error) {
    // A confirmation in another tab gave the session a new token. Nothing ran, so it can be sent again.
    const isStale = error instanceof Failure && error.code === "FORBIDDEN" && error.reason === null;
    const fresh = isStale ? ((await refreshSession())?.csrfToken ?? null) : null;
    if (fresh === null || fresh === token) throw error;
    return send<Data>(document.toString(), variables, fresh);
  }
}

async function send<Data>(query: string, variables: unknown, csrfToken: string | null): Promise<Data> {
  const answer = await fetch(ENDPOINT, {
    method: "POST",
    headers: { "content-type": "application/json", ...(csrfToken === null ? {} : { "x-csrf-token": csrfToken }) },
    body: JSON.stringify({ query, variables: variables ?? {} }),
    credentials: "same-origin",
    redirect: "error",
  }).catch(() => null);
  const isChange = query.trimStart().startsWith("mutation");
  if (answer === null) throw new Failure({ code: "UNREACHABLE", message: isChange ? LOST : NOT_REACHED });
  const body = (await answer.json().catch(() => null)) as WireAnswer<Data> | null;
  const [error] = body?.errors ?? [];
  if (error !== undefined) throw describe(error, isChange);
  if (body?.data == null) {
    if (answer.status === 413) {
      throw new Failure({ code: "BAD_USER_INPUT", message: "That is more than the service takes at once." });
    }
    throw new Failure({ code: "UPSTREAM_UNAVAILABLE", message: isChange ? LOST : "The service gave no answer." });
  }
  return body.data;
}

const CODES: readonly FailureCode[] = ["UNAUTHENTICATED", "FORBIDDEN", "BAD_USER_INPUT", "NOT_FOUND", "CONFLICT"];

/** Words for what the service does not word for a person. */
const MESSAGES: Partial<Record<FailureCode, string>> = {
  UNAUTHENTICATED: "You are signed out. Sign in to go on.",
  FORBIDDEN: "The service refused this. Reload the page and try again.",
  UPSTREAM_UNAVAILABLE: "The service could not finish this. Try again in a moment.",
};

function describe({ message, extensions }: WireError, isChange: boolean): Failure {
  const code = CODES.find((known) => known === extensions?.code) ?? "UPSTREAM_UNAVAILABLE";
  if (code === "UNAUTHENTICATED") endSession();
  const { field, reason, correlationId } = extensions ?? {};
  return new Failure({
    code,
    message: isChange && code === "UPSTREAM_UNAVAILABLE" ? UNFINISHED : (MESSAGES[code] ?? message),
    field: field ?? null,
    reason: reason ?? null,
    correlationId: correlationId ?? null,
  });
}
