import { createHash, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../tools/packages/commands.ts";

export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** A private authority of this machine, as files. */
export class Authority {
  readonly certificate: string;
  readonly #folder: string;
  readonly #key: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.certificate = join(folder, "authority.crt");
    this.#key = join(folder, "authority.key");
  }

  static async create(folder: string): Promise<Authority> {
    const authority = new Authority(folder);
    const purpose = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"];
    await authority.#request("Authority", authority.#key, authority.certificate, purpose);
    return authority;
  }

  /** A certificate of a server, for example of `DNS:localhost`. */
  async certify(name: string, subject: string): Promise<Certificate> {
    const [certificate, key] = [join(this.#folder, `${name}.crt`), join(this.#folder, `${name}.key`)];
    const purpose = [`subjectAltName=${subject}`, "basicConstraints=CA:FALSE", "extendedKeyUsage=serverAuth"];
    const signer = ["-CA", this.certificate, "-CAkey", this.#key];
    await this.#request(name, key, certificate, purpose, signer);
    return { certificate, key };
  }

  #request(
    name: string,
    key: string,
    certificate: string,
    extensions: readonly string[],
    more: readonly string[] = [],
  ) {
    const added = extensions.flatMap((extension) => ["-addext", extension]);
    const files = ["-subj", `/CN=${name}`, "-keyout", key, "-out", certificate];
    const parameters = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "90", ...files, ...more, ...added];
    return run("openssl", parameters, { folder: this.#folder });
  }
}

/** The fingerprint of the public key, as Chromium's `--ignore-certificate-errors-spki-list` takes it. */
export async function fingerprintOf(certificate: string): Promise<string> {
  const { publicKey } = new X509Certificate(await readFile(certificate));
  const encoded = publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(encoded).digest("base64");
}
