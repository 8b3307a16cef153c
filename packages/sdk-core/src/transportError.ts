import { TransportError } from "./errors.ts";
import { isUntrusted, type NetworkFault } from "./networkFault.ts";

/** The error for a fault of the network. It names the host that failed, and what to check. */
export function transportError(operation: string, fault: NetworkFault, endpoint: string): TransportError {
  const { systemCode, isBeforeSending, proxyRefusal } = fault;
  return new TransportError({
    operation,
    message: messageOf(fault, new URL(endpoint).host),
    systemCode,
    mayHaveBeenSent: !isBeforeSending,
    proxyStatus: proxyRefusal?.status,
  });
}

function messageOf({ systemCode, proxyRefusal, isElsewhere }: NetworkFault, host: string): string {
  const code = systemCode === undefined ? "" : ` (${systemCode})`;
  if (proxyRefusal !== undefined) {
    const { status } = proxyRefusal;
    const refused = `A proxy refused the connection to the service${status === undefined ? "" : ` (HTTP ${status})`}.`;
    return status === 407
      ? `${refused} It requires credentials: add them to its URL, for example in HTTPS_PROXY.`
      : `${refused} Check its rules, and HTTPS_PROXY and NO_PROXY.`;
  }
  if (isUntrusted(systemCode)) {
    return `The certificate that the service's URL presents is not trusted${code}. If a proxy of your network inspects TLS, trust its CA, for example with NODE_EXTRA_CA_CERTS.`;
  }
  if (isElsewhere) {
    return `A host between you and the service could not be reached${code}. Check the proxy, and HTTPS_PROXY and NO_PROXY.`;
  }
  // OpenSSL's codes for an answer that is not TLS.
  if (/EPROTO|SSL/.test(code)) return `${host} does not support TLS${code}. Use http:// for plain http.`;
  return `${host} could not be reached${code}. Check that it runs, and whether it serves http or https.`;
}

/** In place of an error of a caller's `fetch` that contains the key or a proof. */
export function unsafeError(operation: string): TransportError {
  const message = "`fetch` failed. Its error is omitted because it contains the key or another secret of the request.";
  return new TransportError({ operation, message, mayHaveBeenSent: true });
}
