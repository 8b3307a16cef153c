import { createHash, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../tools/packages/commands.ts";

export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

export type Authority = Awaited<ReturnType<typeof createAuthority>>;

/** A private authority of this machine, as files. */
export async function createAuthority(folder: string) {
  const create = async (name: string, subject: string, extensions: readonly string[], signer: readonly string[]) => {
    const [certificate, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
    const added = extensions.flatMap((extension) => ["-addext", extension]);
    const files = ["-subj", `/CN=${subject}`, "-keyout", key, "-out", certificate];
    const parameters = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "90", ...files, ...signer, ...added];
    await run("openssl", parameters, { folder });
    return { certificate, key };
  };
  const purpose = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"];
  const { certificate, key } = await create("authority", "Authority", purpose, []);
  return {
    certificate,
    /** A certificate of a server, for example of `DNS:localhost`. */
    certify: (name: string, subject: string): Promise<Certificate> => {
      const server = [`subjectAltName=${subject}`, "basicConstraints=CA:FALSE", "extendedKeyUsage=serverAuth"];
      return create(name, name, server, ["-CA", certificate, "-CAkey", key]);
    },
  };
}

/** The fingerprint of the public key, as Chromium's `--ignore-certificate-errors-spki-list` takes it. */
export async function fingerprintOf(certificate: string): Promise<string> {
  const { publicKey } = new X509Certificate(await readFile(certificate));
  const encoded = publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(encoded).digest("base64");
}
