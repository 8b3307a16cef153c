/** The longest address that mail can be sent to (RFC 5321, section 4.5.3.1.3, less the brackets), and the longest parts of one. */
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
/** Words of these characters with single dots between them (dot-atom of RFC 5322, section 3.2.3). */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/**
 * The email address of an admin as stored and compared: in lower case, without white space around it; null for an invalid
 * address. It is ASCII, because a letter beyond that can become a different letter in lower case, and its host has a dot in it. This
 * project's choice.
 */
export function asEmailAddress(text: string): string | null {
  const address = text.trim();
  const at = address.lastIndexOf("@");
  const [local, labels] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1).split(".")];
  const isAddress =
    address.length <= MAX_LENGTH &&
    local.length <= MAX_LOCAL_LENGTH &&
    LOCAL_PART.test(local) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    // Four numbers are an IP address, not a host name.
    /\D/.test(labels.at(-1) ?? "");
  return isAddress ? address.toLowerCase() : null;
}
