import type { Link } from "./errorChain.ts";

/** A proxy refused to open a connection to the service (CONNECT, RFC 9110, section 9.3.6). */
export interface ProxyRefusal {
  /** Undefined in runtimes that do not report it. */
  readonly status: number | undefined;
}

/** The refusal in an error and its causes, as undici, Bun, Deno and agents for Node report it. */
export function proxyRefusalOf(chain: readonly Link[]): ProxyRefusal | undefined {
  if (isPlainRefusal(chain)) return { status: 407 };
  const refusal = chain.find(({ code, message }) => code === "ERR_PROXY_TUNNEL" || isRefusal(message));
  if (refusal === undefined) return undefined;
  const { message, status, statusCode } = refusal;
  const [, undici, agent] = STATUS.exec(message) ?? [];
  const isUnauthenticated = message.includes("proxy authentication required");
  const known = [status, statusCode, Number(undici ?? agent), isUnauthenticated && 407].find(isStatus);
  return { status: known };
}

/** Of all responses, undici makes an error without a message only of status 407. */
function isPlainRefusal([first, cause]: readonly Link[]): boolean {
  const isUnexplained = cause?.name === "Error" && cause.message === "" && cause.code === undefined;
  return first?.message === "fetch failed" && isUnexplained && cause.cause === undefined;
}

const REFUSAL = /^(Proxy response \(\d{3}\) !== 200|tunneling socket could not be established)/;
/** Deno names the step, then its cause. */
const DENO_STEP = "client error (Connect):";
const DENO_CAUSE = /proxy authentication|unsuccessful|tunnel/;
const STATUS = /^Proxy response \((\d{3})\)|\bstatusCode=(\d{3})\b/;

function isRefusal(message: string): boolean {
  const step = message.indexOf(DENO_STEP);
  return REFUSAL.test(message) || (step >= 0 && DENO_CAUSE.test(message.slice(step)));
}

function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 100 && Number(value) < 600;
}
