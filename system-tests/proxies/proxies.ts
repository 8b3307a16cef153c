import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type StartedProgram, startProgram } from "../../packages/testkit/src/harness/startedProgram.ts";
import { type Certificate, createAuthority } from "../deployment/certificates.ts";

export const DEPLOY = fileURLToPath(new URL("../../deploy/", import.meta.url));

/** What a proxy serves with TLS, on loopback: the service at a port, and other addresses with the ports behind them. */
export interface Sites {
  readonly folder: string;
  readonly apis: readonly [number, number];
  readonly port: number;
  /** The name that the service has. */
  readonly host: string;
  readonly certificates: Certificate;
  readonly others?: readonly (readonly [url: string, port: number])[];
}

export interface ProxyKind {
  readonly name: string;
  /** Debian's package. */
  readonly debianPackage: string;
  readonly isInstalled: boolean;
  /** The name that its file serves. */
  readonly host: string;
  start(sites: Sites): Promise<StartedProgram>;
}

/** The proxies of `deploy/`, with the files unchanged except for addresses and paths. */
export const PROXIES: readonly ProxyKind[] = [
  {
    name: "Caddy (deploy/compose/Caddyfile)",
    debianPackage: "caddy",
    isInstalled: spawnSync("caddy", ["version"]).status === 0,
    host: "social-connect.localhost",
    start: async ({ folder, apis, port, certificates, others = [] }) => {
      const [service = ""] = (await readFile(join(DEPLOY, "compose", "Caddyfile"), "utf8")).split(
        "\nhttps://simulator.",
      );
      const text = replaced(service, [
        ["api-1:4400 api-2:4400", apis.map((api) => `127.0.0.1:${api}`).join(" ")],
        ["/run/sandbox/tls.crt", certificates.certificate],
        ["/run/sandbox/tls.key", certificates.key],
      ]);
      const added = others.map(
        ([url, upstream]) => `${url} {\n\timport tls\n\treverse_proxy 127.0.0.1:${upstream}\n}\n`,
      );
      const file = join(folder, "Caddyfile");
      await writeFile(file, [text, ...added].join("\n"));
      const environment = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, SOCIAL_CONNECT_PORT: String(port) };
      return startProgram({ command: ["caddy", "run", "--config", file, "--adapter", "caddyfile"], environment });
    },
  },
  {
    name: "nginx (deploy/nginx/social-connect.conf)",
    debianPackage: "nginx",
    isInstalled: spawnSync("nginx", ["-v"]).status === 0,
    host: "connect.example.com",
    start: async ({ folder, apis, port, host, certificates: { certificate, key }, others = [] }) => {
      const service = replaced(await readFile(join(DEPLOY, "nginx", "social-connect.conf"), "utf8"), [
        ["server 127.0.0.1:4400", `server 127.0.0.1:${apis[0]}`],
        ["server 127.0.0.1:4401", `server 127.0.0.1:${apis[1]}`],
        ["connect.example.com", host],
        ["/etc/ssl/social-connect/tls.crt", certificate],
        ["/etc/ssl/social-connect/tls.key", key],
        ["listen 443 ssl", `listen 127.0.0.1:${port} ssl`],
        ["/var/log/nginx/", `${folder}/`],
        // The port is another than that of https.
        ...(host === "localhost" ? ([["$host", "$http_host"]] as const) : []),
      ]);
      const site = ([url, upstream]: readonly [string, number]) => `server {
        listen 127.0.0.1:${new URL(url).port} ssl;
        ssl_certificate ${certificate};
        ssl_certificate_key ${key};
        location / {
          proxy_pass http://127.0.0.1:${upstream};
          proxy_http_version 1.1;
          proxy_set_header Host $http_host;
          proxy_set_header X-Forwarded-For $remote_addr;
          proxy_set_header X-Forwarded-Proto https;
          proxy_set_header X-Forwarded-Host $http_host;
          proxy_buffer_size 64k;
          proxy_buffers 8 64k;
          proxy_read_timeout 180s;
        }
      }`;
      const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
      const http = [
        "access_log off;",
        ...paths.map((name) => `${name}_temp_path ${join(folder, name)};`),
        ...[service, ...others.map(site)],
      ];
      const main = `pid ${join(folder, "nginx.pid")}; daemon off; worker_processes 1; events { worker_connections 1024; }`;
      const file = join(folder, "nginx.conf");
      await writeFile(file, `${main}\nhttp {\n${http.join("\n")}\n}`);
      return startProgram({ command: ["nginx", "-p", folder, "-c", file, "-e", join(folder, "error.log")] });
    },
  },
];

/** A proxy with its file alone, at a free port. */
export async function startAlone(kind: ProxyKind, folder: string, apis: Sites["apis"]) {
  const sites = { folder, apis, port: await freePort(), host: kind.host };
  const certificates = await (await createAuthority(folder)).certify("tls", `DNS:${kind.host}`);
  const program = await kind.start({ ...sites, certificates });
  return { ...sites, program };
}

/** Not `reservePort`, which keeps the UDP port, where Caddy serves HTTP/3. */
export async function freePort(): Promise<number> {
  await using server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Each text must occur, so that a change of the file is noticed. */
function replaced(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`the proxy's configuration does not contain "${from}"`);
    return changed.replaceAll(from, to);
  }, text);
}
