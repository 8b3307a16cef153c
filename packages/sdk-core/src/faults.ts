import { isLoopback } from "./serviceRoot.ts";

const NOT_SENT = { mayHaveBeenSent: false, isTransient: true } as const;
const MAYBE_SENT = { mayHaveBeenSent: true, isTransient: true } as const;

/**
 * What is known about a request that got no usable response, and what follows. `{host}` is the service's, `{code}` the
 * system's code or a proxy's status. The reference page "Failed requests" shows these rows.
 */
export const FAULTS = {
  PROXY_REFUSED: {
    sentence: "A proxy refused the connection to the service{code}.",
    check: "Check its rules, and HTTPS_PROXY and NO_PROXY.",
    ...NOT_SENT,
  },
  PROXY_UNAUTHENTICATED: {
    sentence: "A proxy refused the connection to the service{code}.",
    check: "It requires credentials: add them to its URL, for example in HTTPS_PROXY.",
    ...NOT_SENT,
    isTransient: false,
  },
  PROXY_UNREACHABLE: {
    sentence: "A host between you and the service could not be reached{code}.",
    check: "Check the proxy, and HTTPS_PROXY and NO_PROXY.",
    ...NOT_SENT,
  },
  CERTIFICATE_REFUSED: {
    sentence: "The certificate of {host} is not trusted{code}.",
    check: "If a proxy of your network inspects TLS, trust its CA (NODE_EXTRA_CA_CERTS).",
    ...NOT_SENT,
    isTransient: false,
  },
  UNREACHABLE: {
    sentence: "{host} could not be reached{code}.",
    check: "Check that it runs, and whether it serves http or https.",
    ...NOT_SENT,
  },
  TLS_FAILED: {
    sentence: "TLS with {host} failed{code}.",
    check: "Use http:// for plain http.",
    ...MAYBE_SENT,
  },
  NO_RESPONSE: {
    sentence: "{host} ended the connection without a response{code}.",
    check: "Check whether it serves http or https.",
    ...MAYBE_SENT,
  },
  UNKNOWN: {
    sentence: "{host} could not be reached, its certificate is not trusted, or it ended the connection:",
    check: "the runtime does not report which.",
    ...MAYBE_SENT,
  },
  RESPONSE_CUT: {
    sentence: "The response of {host} ended early or is damaged{code}.",
    check: "",
    ...MAYBE_SENT,
  },
  FETCH_FAILED: {
    sentence: "`fetch` failed.",
    check: "Its error is omitted: it contains a secret of the request.",
    ...MAYBE_SENT,
    isTransient: false,
  },
} as const;

/** Which part of a request failed. */
export type TransportProblem = keyof typeof FAULTS;

/** What to check after a fault. */
export function checkAfter(problem: TransportProblem, code: string | undefined, { hostname }: URL): string {
  const { check } = FAULTS[problem];
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "It is for another host.";
  if (problem !== "UNREACHABLE") return check;
  if (/^(ENOTF|EAI_)/.test(code ?? "")) return "Check the spelling of the host, and DNS.";
  // Most often a development environment has ended.
  return isLoopback(hostname) ? "Start the service there: `npx @social-connect/server dev`." : check;
}
