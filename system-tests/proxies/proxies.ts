import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const DEPLOY = fileURLToPath(new URL("../../deploy/", import.meta.url));

export interface RunningProxy {
  /** On loopback, with TLS. */
  readonly port: number;
  /** The name that it serves. */
  readonly host: string;
  hasEnded(): boolean;
  stop(): Promise<void>;
}

export interface ProxyKind {
  readonly name: string;
  /** Debian's package. */
  readonly debianPackage: string;
  readonly isInstalled: boolean;
  start(folder: string, apiPorts: readonly [number, number]): Promise<RunningProxy>;
}

/** The proxies of `deploy/`, with the files unchanged except for addresses and paths. */
export const PROXIES: readonly ProxyKind[] = [
  {
    name: "Caddy (deploy/compose/Caddyfile)",
    debianPackage: "caddy",
    isInstalled: spawnSync("caddy", ["version"]).status === 0,
    start: async (folder, [first, second]) => {
      const port = await freePort();
      const { certificate, key } = await createCertificate(folder, "social-connect.localhost");
      const text = replaced(await readFile(join(DEPLOY, "compose", "Caddyfile"), "utf8"), [
        ["api-1:4400 api-2:4400", `127.0.0.1:${first} 127.0.0.1:${second}`],
        ["/run/sandbox/tls.crt", certificate],
        ["/run/sandbox/tls.key", key],
        [":8443", `:${port}`],
      ]);
      const file = join(folder, "Caddyfile");
      await writeFile(file, text);
      const environment = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      return startProxy("caddy", ["run", "--config", file, "--adapter", "caddyfile"], environment, {
        port,
        host: "social-connect.localhost",
      });
    },
  },
  {
    name: "nginx (deploy/nginx/social-connect.conf)",
    debianPackage: "nginx",
    isInstalled: spawnSync("nginx", ["-v"]).status === 0,
    start: async (folder, [first, second]) => {
      const port = await freePort();
      const { certificate, key } = await createCertificate(folder, "connect.example.com");
      const text = replaced(await readFile(join(DEPLOY, "nginx", "social-connect.conf"), "utf8"), [
        ["server 127.0.0.1:4400", `server 127.0.0.1:${first}`],
        ["server 127.0.0.1:4401", `server 127.0.0.1:${second}`],
        ["/etc/ssl/social-connect/tls.crt", certificate],
        ["/etc/ssl/social-connect/tls.key", key],
        ["listen 443 ssl", `listen 127.0.0.1:${port} ssl`],
        ["/var/log/nginx/", `${folder}/`],
      ]);
      const file = join(folder, "nginx.conf");
      await writeFile(file, nginxConfiguration(folder, text));
      const errors = join(folder, "error.log");
      return startProxy("nginx", ["-p", folder, "-c", file, "-e", errors], {}, { port, host: "connect.example.com" });
    },
  },
];

/** A whole configuration of nginx, in the foreground, with the given `http` block. */
export function nginxConfiguration(folder: string, http: string): string {
  const names = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const paths = names.map((name) => `${name}_temp_path ${join(folder, name)};`);
  return [
    `pid ${join(folder, "nginx.pid")};`,
    "daemon off; worker_processes 1;",
    "events { worker_connections 1024; }",
    `http { access_log off; ${paths.join(" ")}`,
    http,
    "}",
  ].join("\n");
}

/** Not `reservePort`, which keeps the UDP port, where Caddy serves HTTP/3. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Each text must occur, so that a change of the file is noticed. */
export function replaced(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`the proxy's configuration does not contain "${from}"`);
    return changed.replaceAll(from, to);
  }, text);
}

async function createCertificate(folder: string, host: string) {
  await mkdir(folder, { recursive: true });
  const [certificate, key] = [join(folder, "tls.crt"), join(folder, "tls.key")];
  const parameters = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", `/CN=${host}`];
  const { status, stderr } = spawnSync("openssl", [...parameters, "-out", certificate, "-keyout", key]);
  if (status !== 0) throw new Error(`openssl failed: ${stderr}`);
  return { certificate, key };
}

export async function startProxy(
  command: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
  { port, host }: Pick<RunningProxy, "port" | "host">,
): Promise<RunningProxy> {
  const child: ChildProcess = spawn(command, parameters, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-4_000);
  });
  const ended = once(child, "exit");
  void ended.then(([code]) => {
    if (code !== 0 && code !== null) console.error(`${command} ended with ${code}:\n${errors}`);
  });
  return {
    port,
    host,
    hasEnded,
    stop: async () => {
      if (!hasEnded()) child.kill("SIGTERM");
      await ended;
    },
  };
}
