import type { IncomingMessage } from "node:http";

/** Longer than any path, and than any header that the service reads. */
const LONGEST_PATH = 1_024;
const LONGEST_HEADER = 2_048;
/** Cookies of other programs on the same host are in it too. */
const LONGEST_COOKIE = 8_192;
/** A provider's response: a code may be a few kilobytes. */
const LONGEST_QUERY = 16_384;
/** Headers may repeat, so their sum counts too. Node limits them together with the URL, which may be longer. */
const MOST_HEADER_CHARACTERS = 16_384;

/** Nothing is served here. */
const UNKNOWN_PATH = "/unknown";

/**
 * Bounds the head of a request before any part of it is split or matched, so that a long head costs no more than a short
 * one. Drops a query or header that is too long; a path that is too long becomes an unknown one. False if the headers
 * together are too long.
 */
export function boundRequest(request: IncomingMessage): boolean {
  const { rawHeaders, url = "" } = request;
  let characters = 0;
  let isLong = false;
  for (let index = 1; index < rawHeaders.length; index += 2) {
    const { length } = rawHeaders[index] ?? "";
    characters += length;
    isLong ||= length > LONGEST_HEADER;
  }
  if (characters > MOST_HEADER_CHARACTERS) return false;
  if (isLong) dropLongHeaders(request);
  if (url.length > LONGEST_PATH) request.url = boundedUrl(url);
  return true;
}

function boundedUrl(url: string): string {
  const at = url.indexOf("?");
  const path = at < 0 ? url : url.slice(0, at);
  if (path.length > LONGEST_PATH) return UNKNOWN_PATH;
  return url.length - path.length > LONGEST_QUERY ? path : url;
}

/** Node derives its other forms of the headers from the raw ones, some of them before this. */
function dropLongHeaders(request: IncomingMessage): void {
  const kept: string[] = [];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const [name = "", value = ""] = request.rawHeaders.slice(index, index + 2);
    const lowerName = name.toLowerCase();
    if (value.length <= (lowerName === "cookie" ? LONGEST_COOKIE : LONGEST_HEADER)) kept.push(name, value);
    else {
      delete request.headers[lowerName];
      delete request.headersDistinct[lowerName];
    }
  }
  request.rawHeaders = kept;
}
