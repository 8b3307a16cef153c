import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

const BEGIN = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/;
const END = /-----END (?:TRUSTED |X509 )?CERTIFICATE-----/;

/**
 * Why an authority is not trusted although a file of authorities is named. Node and `pg` ignore a file without a certificate, and
 * Node also an unreadable file, so the connection fails later, like one to an unknown authority.
 */
export function untrustedBecause(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "latin1");
  } catch {
    return "cannot be read; correct its path or permissions";
  }
  return certificatesIn(text).some(isCertificate)
    ? "does not hold that authority; add its certificate"
    : "holds no certificate; write the authority's certificate to it, as PEM";
}

/** The same for the file in NODE_EXTRA_CA_CERTS; null without the variable. */
export function extraAuthorityProblem(): string | null {
  const path = process.env["NODE_EXTRA_CA_CERTS"];
  return path ? `the file that NODE_EXTRA_CA_CERTS names ${untrustedBecause(path)}, then restart` : null;
}

/** The certificates of a PEM file (RFC 7468), without the text around them. */
function certificatesIn(text: string): string[] {
  return text.split(BEGIN).flatMap((part) => {
    const [body = "", rest] = part.split(END, 2);
    return rest === undefined ? [] : [`-----BEGIN CERTIFICATE-----${body}-----END CERTIFICATE-----`];
  });
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem) !== undefined;
  } catch {
    return false;
  }
}
