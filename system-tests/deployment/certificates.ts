import { createHash, X509Certificate } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../tools/packages/commands.ts";

/** The paths of its files. */
export type Certificate = Readonly<Record<"certificate" | "key", string>>;
export type Authority = Awaited<ReturnType<typeof createAuthority>>;

/** A private authority of this machine, as files in a folder. */
export async function createAuthority(folder: string, authority = "authority") {
  const openssl = (command: string) => run("openssl", command.split(" "), { folder });
  const requestOf = (name: string) => `req -newkey rsa:2048 -nodes -keyout ${name}.key -subj /CN=${name}`;
  const files = (name: string): Certificate => {
    return { certificate: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
  };
  const purpose = "-addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign";
  await openssl(`${requestOf(authority)} -x509 -out ${authority}.crt -days 90 ${purpose}`);
  return {
    ...files(authority),
    /** A certificate of a server, for example of `DNS:localhost`. */
    certify: async (name: string, subject: string, days = 60): Promise<Certificate> => {
      const extensions = `subjectAltName=${subject}\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n`;
      await writeFile(join(folder, `${name}.ext`), extensions);
      await openssl(`${requestOf(name)} -out ${name}.csr`);
      const signer = `-CA ${authority}.crt -CAkey ${authority}.key -CAcreateserial`;
      await openssl(`x509 -req -in ${name}.csr -out ${name}.crt ${signer} -extfile ${name}.ext -days ${days}`);
      return files(name);
    },
  };
}

/** As the TLS of Node takes it. */
export async function readCertificate({ certificate, key }: Certificate) {
  return { cert: await readFile(certificate, "utf8"), key: await readFile(key, "utf8") };
}

/** The fingerprint of the public key, as Chromium's `--ignore-certificate-errors-spki-list` takes it. */
export async function fingerprintOf(certificate: string): Promise<string> {
  const { publicKey } = new X509Certificate(await readFile(certificate));
  const encoded = publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(encoded).digest("base64");
}
