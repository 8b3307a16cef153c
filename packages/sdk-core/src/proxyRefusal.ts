import type { Link } from "./errorChain.ts";

/** A proxy refused to open a connection to the service (CONNECT, RFC 9110, section 9.3.6). */
interface ProxyRefusal {
  /** Undefined in runtimes that do not report it. */
  readonly status: number | undefined;
}

/** The refusal in an error and its causes, as undici, Bun, Deno and agents for Node report it. `connecting` is Deno's. */
export function proxyRefusalOf(chain: readonly Link[], connecting = ""): ProxyRefusal | undefined {
  if (isPlainRefusal(chain) || connecting.includes("proxy authentication")) return { status: 407 };
  if (/unsuccessful|tunnel/.test(connecting)) return { status: undefined };
  const refusal = chain.find(({ code, message }) => code === "ERR_PROXY_TUNNEL" || REFUSAL.test(message));
  if (refusal === undefined) return undefined;
  const status = Number(refusal.status ?? refusal.statusCode ?? STATUS.exec(refusal.message)?.[1]);
  return { status: status >= 100 && status < 600 ? status : undefined };
}

/** Status 407 is the only response of which undici makes an error without a message. */
function isPlainRefusal([first, cause]: readonly Link[]): boolean {
  const isUnexplained = cause?.name === "Error" && cause.message === "" && cause.code === undefined;
  return first?.message === "fetch failed" && isUnexplained && cause.cause === undefined;
}

const REFUSAL = /^(Proxy response \(\d{3}\) !== 200|tunneling socket could not be established)/;
const STATUS = /[(=](\d{3})\b/;
