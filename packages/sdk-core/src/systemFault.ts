import type { Carried } from "./serverText.ts";
import { cleanName } from "./serverText.ts";

/** The system error of a failed `fetch`, without values that could be secret. */
export interface SystemFault {
  /** The system's error code. */
  readonly systemCode: string | undefined;
  /** Whether it can only happen before the first byte of a request is written. */
  readonly isBeforeSending: boolean;
}

/**
 * Finds the system error code in an error or its causes. Messages may contain secrets and are not copied; only Deno's
 * message is read, because nothing else shows that the connection failed.
 */
export function systemFaultOf(error: unknown, carried: Carried): SystemFault {
  try {
    for (let current = error, depth = 0; isRecord(current) && depth < 5; current = current.cause, depth += 1) {
      if (DENO_CONNECTING.test(String(current.message))) return { systemCode: undefined, isBeforeSending: true };
      const { code, syscall } = current;
      if (typeof code === "string" && SYSTEM_CODE.test(code)) {
        return { systemCode: cleanName(code, SYSTEM_CODE, carried), isBeforeSending: isBeforeSending(code, syscall) };
      }
    }
  } catch {
    // An error of a caller's own fetch whose properties throw.
  }
  return { systemCode: undefined, isBeforeSending: false };
}

const DENO_CONNECTING = /^error sending request for url \(.*\): client error \(Connect\)/;
/** The formats of Node, undici and Bun. */
const SYSTEM_CODE = /^([A-Z][A-Z0-9_]{1,38}|[A-Z][A-Za-z]{1,30})$/;
const NEVER_SENT = /^(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_[A-Z]+|UND_ERR_CONNECT_TIMEOUT)$/;
const UNTRUSTED =
  /^(CERT_[A-Z_]+|UNABLE_TO_[A-Z_]+|(DEPTH_ZERO_)?SELF_SIGNED_CERT[A-Z_]*|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)$/;

function isBeforeSending(systemCode: string, syscall: unknown): boolean {
  return NEVER_SENT.test(systemCode) || isUntrusted(systemCode) || syscall === "connect" || syscall === "getaddrinfo";
}

/** The server's certificate is not trusted: nothing was sent, and a retry would fail in the same way. */
export function isUntrusted(systemCode: string | undefined): boolean {
  return systemCode !== undefined && UNTRUSTED.test(systemCode);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
