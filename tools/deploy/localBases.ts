import { spawnSync } from "node:child_process";
import { copyFile, cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "../packages/commands.ts";
import type { Docker } from "./docker.ts";

const PULL_TIMEOUT_SECONDS = "60";
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const DEBIAN = "debian:12.12-slim";
const NODE = "node:24.21.0-bookworm-slim";

/** The images that the Dockerfiles and the compose file begin with, and what this machine builds in their place. */
const RECIPES: Readonly<Record<string, string>> = {
  [NODE]: [
    `FROM ${DEBIAN}`,
    "COPY node/ /usr/local/",
    "COPY ca-certificates.crt /etc/ssl/certs/",
    "RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm",
    "RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1",
    `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`,
  ].join("\n"),
  "postgres:17.6-bookworm": [
    `FROM ${DEBIAN}`,
    "RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-15 openssl",
    "COPY postgres.sh /usr/local/bin/docker-entrypoint.sh",
    "ENV PGDATA=/var/lib/postgresql/data",
    "ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    'ENTRYPOINT ["bash", "/usr/local/bin/docker-entrypoint.sh"]',
    "STOPSIGNAL SIGINT",
    'CMD ["postgres"]',
  ].join("\n"),
  "caddy:2.10.2": [`FROM ${DEBIAN}`, "RUN apt-get update && apt-get install --yes --no-install-recommends caddy"].join(
    "\n",
  ),
};
export const NODE_IMAGE = NODE;
export const BASE_IMAGES: readonly string[] = [DEBIAN, ...Object.keys(RECIPES)];

/** What the compose file needs of the official image's entry point. */
const POSTGRES_ENTRYPOINT = `set -e
[ "$1" = postgres ] || exec "$@"
as() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install -d -o postgres -g postgres -m 700 "$PGDATA"
  as initdb -D "$PGDATA" --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-host=scram-sha-256 --auth-local=trust
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  as pg_ctl -D "$PGDATA" -w -o "-c listen_addresses=''" start
  as createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
  for file in /docker-entrypoint-initdb.d/*.sql; do
    psql -v ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" -f "$file"
  done
  as pg_ctl -D "$PGDATA" -w stop
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups postgres -D "$PGDATA" -c listen_addresses='*'
`;

/**
 * Makes the base images available: present or pulled images, and otherwise substitutes from Debian packages
 * and this machine's Node, under the same names.
 *
 * @returns the names of images that were not present before; or why one cannot be had
 */
export async function provideBases(
  docker: Docker,
): Promise<{ readonly added: readonly string[]; readonly missing: string | null }> {
  const added: string[] = [];
  for (const name of BASE_IMAGES) {
    if (await succeeds(docker.docker("image", "inspect", name))) continue;
    const isPulled = await succeeds(
      run("timeout", [PULL_TIMEOUT_SECONDS, "docker", "pull", "--quiet", name], {
        folder: "/",
        environment: docker.environment,
      }),
    );
    added.push(name);
    if (isPulled) continue;
    if (process.getuid?.() !== 0 || spawnSync("debootstrap", ["--version"]).status !== 0) {
      return {
        added,
        missing: `the image ${name} cannot be pulled, and only root with \`debootstrap\` can build a substitute`,
      };
    }
    console.log(`  ${name} cannot be pulled: building a substitute from Debian packages`);
    await (name === DEBIAN ? importDebian(docker) : buildSubstitute(docker, name, RECIPES[name] ?? ""));
  }
  return { added, missing: null };
}

async function importDebian({ docker }: Docker): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "social-connect-debian-"));
  try {
    const system = join(folder, "system");
    const archive = join(folder, "system.tar");
    await run("nice", ["debootstrap", "--variant=minbase", "bookworm", system], { folder, timeoutMs: 600_000 });
    await run("tar", ["--exclude=./var/cache/apt/archives/*", "-cf", archive, "-C", system, "."], { folder });
    await docker("import", archive, DEBIAN);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function buildSubstitute({ docker }: Docker, name: string, recipe: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "social-connect-base-"));
  try {
    await writeFile(join(folder, "Dockerfile"), recipe);
    await writeFile(join(folder, "postgres.sh"), POSTGRES_ENTRYPOINT);
    if (name === NODE) {
      await mkdir(join(folder, "node", "bin"), { recursive: true });
      await copyFile(process.execPath, join(folder, "node", "bin", "node"));
      // .../npm/bin/npm-cli.js
      const npm = dirname(dirname(await realpath((await run("which", ["npm"], { folder })).trim())));
      await cp(npm, join(folder, "node", "lib", "node_modules", "npm"), { recursive: true });
      await copyFile(CERTIFICATES, join(folder, "ca-certificates.crt"));
    }
    await docker("build", "--network", "host", "--tag", name, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
