/** The parts of a received HTTP request that name where it goes, as Node has them. */
export interface TargetedRequest {
  url?: string | undefined;
  headers: { host?: string | undefined };
  headersDistinct: { host?: string[] | undefined };
}

const ABSOLUTE = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)((?:[/?][^#]*)?)$/i;

/**
 * Gives a request in absolute form (`GET http://host/path`), as clients of a proxy send it, the form of all others. The target
 * decides, not the Host header (RFC 9112, section 3.2.2). Returns the host that it names, null if it is not in absolute form, and
 * "" if it is invalid. Several Host headers stay, so that what refuses them still does.
 */
export function takeAbsoluteTarget(request: TargetedRequest): string | null {
  const { url = "", headers, headersDistinct } = request;
  if (url.startsWith("/") || !url.includes(":")) return null;
  const [, scheme = "", host = "", rest = ""] = ABSOLUTE.exec(url) ?? [];
  if (!/^https?$/i.test(scheme)) return "";
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
  if ((headersDistinct.host?.length ?? 0) < 2) {
    headers.host = host;
    headersDistinct.host = [host];
  }
  return host;
}
