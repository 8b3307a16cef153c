import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { generate } from "selfsigned";
import { giveToDatabaseUser } from "../embeddedDatabase/binaries.ts";
import { startTemporaryDatabase } from "./temporaryDatabase.ts";

export type TlsDatabase = Awaited<ReturnType<typeof startTlsDatabase>>;

/** A PostgreSQL with a certificate of a private authority. Its `pg_hba.conf` accepts only TLS connections. */
export async function startTlsDatabase() {
  const database = await startTemporaryDatabase();
  const client = new pg.Client({ connectionString: database.url("postgres") });
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string; hba_file: string }>(
      "SELECT current_setting('data_directory') AS data_directory, current_setting('hba_file') AS hba_file",
    );
    const { data_directory: dataDirectory = "", hba_file: hbaFile = "" } = rows[0] ?? {};
    const folder = join(dataDirectory, "certificates");
    const [authority, other] = await Promise.all([createAuthority(), createAuthority()]);
    const server = await createCertificate(authority);
    await mkdir(folder);
    const write = async (name: string, content: string) => {
      const file = join(folder, name);
      await writeFile(file, content, { mode: 0o600 });
      await giveToDatabaseUser(file);
      return file;
    };
    const [authorityFile, otherAuthority, certificate, key] = await Promise.all([
      write("authority.crt", authority.cert),
      write("other.crt", other.cert),
      write("server.crt", server.cert),
      write("server.key", server.private),
    ]);
    await giveToDatabaseUser(folder);
    await client.query("CREATE DATABASE service");
    await client.query(`ALTER SYSTEM SET ssl_cert_file = '${certificate}'`);
    await client.query(`ALTER SYSTEM SET ssl_key_file = '${key}'`);
    await client.query("ALTER SYSTEM SET ssl = on");
    await writeFile(hbaFile, (await readFile(hbaFile, "utf8")).replaceAll(/^host(?=\s)/gm, "hostssl"));
    await client.query("SELECT pg_reload_conf()");
    const url = new URL(database.url("service"));
    url.hostname = "localhost";
    url.searchParams.set("sslmode", "verify-full");
    url.searchParams.set("sslrootcert", authorityFile);
    await untilItTakesTls(url);
    return { url, otherAuthority, stop: database.stop };
  } catch (error) {
    await database.stop();
    throw error;
  } finally {
    await client.end();
  }
}

type Certificate = Awaited<ReturnType<typeof generate>>;

const COMMON = { keyType: "ec", algorithm: "sha256" } as const;

function createAuthority(): Promise<Certificate> {
  return generate([{ name: "commonName", value: "Test authority" }], {
    ...COMMON,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
}

function createCertificate(authority: Certificate): Promise<Certificate> {
  return generate([{ name: "commonName", value: "Test database" }], {
    ...COMMON,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] },
    ],
  });
}

/** A reload is only a signal, which the server handles asynchronously. */
async function untilItTakesTls(url: URL): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const client = new pg.Client({ connectionString: url.href });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return;
    } catch (error) {
      if (tries === 200) throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
