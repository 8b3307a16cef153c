/**
 * The files of `deploy/`: the Kubernetes manifests, systemd units and alert rules are valid. SWEEP=all also builds the images, starts
 * the compose file, links an account through the proxy, replaces each process under load, and removes everything again.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { cleanEnvironment } from "../../packages/testkit/src/harness/startedProgram.ts";
import { eventually, reservePort, SWEEPS_ALL } from "../../packages/testkit/src/index.ts";
import { CommandError, pnpm, run } from "../packages/commands.ts";
import { ROOT } from "../packages/publishedPackages.ts";
import { packForImages } from "./pack.ts";

const DEPLOY = join(ROOT, "deploy");
const SCHEMAS = join(ROOT, "tools", "deploy", "schemas");
/** The highest exposure that `systemd-analyze security` may report for a unit, of 100; without hardening it is 96. */
const MOST_EXPOSURE = 20;
const IMAGES = {
  service: "social-connect:check",
  trial: "social-connect-trial:check",
  pgbouncer: "social-connect-pgbouncer:check",
} as const;
const MOST_SERVICE_MB = 200;
/** Runs the journeys; the Dockerfile begins with it too. */
const NODE_IMAGE = "node:24.21.0-bookworm-slim";
const PROJECT = "social-connect-check";
const REPLACED = ["api-1", "api-2", "worker-1", "worker-2"];
const HEALTHY_TIMEOUT_MS = 300_000;
/** The proxy asks every second whether a process is ready. */
const PROXY_NOTICES_MS = 3_000;
const OWN_LABEL = "label=org.opencontainers.image.title=social-connect";

/** Ends hangs: packages are downloaded, and images are built. */
const HANGS_AFTER_MS = 3_600_000;

const succeedsNow = (program: string, ...parameters: readonly string[]) =>
  spawnSync(program, parameters, { stdio: "ignore", timeout: 20_000 }).status === 0;
const hasDocker = SWEEPS_ALL && succeedsNow("docker", "info") && succeedsNow("docker", "compose", "version");
const COMPOSE_ENVIRONMENT = {
  SOCIAL_CONNECT_IMAGE: IMAGES.service,
  SOCIAL_CONNECT_SIMULATOR_IMAGE: IMAGES.trial,
  SOCIAL_CONNECT_PGBOUNCER_IMAGE: IMAGES.pgbouncer,
  SOCIAL_CONNECT_PORT: String(await reservePort()),
};
const docker = (...parameters: readonly string[]) =>
  run("docker", parameters, { folder: ROOT, environment: COMPOSE_ENVIRONMENT });
const compose = (...parameters: readonly string[]) =>
  docker("compose", "-f", join(DEPLOY, "compose", "compose.yaml"), "-p", PROJECT, ...parameters);

test(
  "the Kubernetes manifests are valid",
  async () => {
    await pnpm(["install", "--frozen-lockfile", "--prefer-offline"], { folder: SCHEMAS });
    const folder = join(DEPLOY, "kubernetes");
    const files = (await readdir(folder)).filter((name) => name.endsWith(".yaml"));
    expect(files).not.toEqual([]);
    for (const file of files) await checkManifest(await readFile(join(folder, file), "utf8"));
    // The control.
    const broken = "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: control }\nspec: { replicas: two }\n";
    await expect(checkManifest(broken)).rejects.toThrow("replicas");
  },
  HANGS_AFTER_MS,
);

/** Throws at a document that is invalid, or no object of Kubernetes. The package has a file for each type. */
async function checkManifest(text: string): Promise<void> {
  for (const document of parseAllDocuments(text, { merge: true })) {
    expect(document.errors).toEqual([]);
    const manifest = document.toJS();
    const { apiVersion, kind } = manifest;
    const models = await import(join(SCHEMAS, "node_modules", "kubernetes-models", apiVersion, `${kind}.js`));
    new models[kind](manifest).validate();
  }
}

test.skipIf(!succeedsNow("systemd-analyze", "--version"))(
  "the systemd units are valid and hardened (needs systemd-analyze)",
  async () => {
    const folder = join(DEPLOY, "systemd");
    const copies = await mkdtemp(join(tmpdir(), "social-connect-units-"));
    onTestFinished(() => rm(copies, { recursive: true, force: true }));
    const names = (await readdir(folder)).filter((name) => name.endsWith(".service"));
    expect(names).not.toEqual([]);
    for (const name of names) {
      // Node's place differs between machines, and a missing program is a finding.
      const text = (await readFile(join(folder, name), "utf8")).replaceAll("/usr/bin/node", process.execPath);
      await writeFile(join(copies, name), text);
    }
    const analyze = (...parameters: readonly string[]) => run("systemd-analyze", parameters, { folder: copies });
    await analyze("verify", "--man=no", ...names.map((name) => join(copies, name)));
    for (const name of names) {
      await analyze("security", "--offline=true", `--threshold=${MOST_EXPOSURE}`, "--no-pager", join(copies, name));
    }
  },
);

test.skipIf(!succeedsNow("promtool", "--version"))(
  "promtool accepts and tests the alert rules (Debian package prometheus)",
  async () => {
    const promtool = (...parameters: readonly string[]) => run("promtool", parameters, { folder: tmpdir() });
    const folder = join(DEPLOY, "prometheus");
    expect(await promtool("check", "rules", join(folder, "alerts.yml"))).toMatch(/SUCCESS: [1-9]\d* rules found/);
    await promtool("test", "rules", join(folder, "alerts.test.yml"));
  },
);

test.skipIf(!hasDocker)(
  "the images and the compose file work, and each process can be replaced under load (needs Docker)",
  async () => {
    try {
      await packForImages();
      await buildImages();
      await checkTrial();
      await checkCompose();
    } finally {
      await removeAll();
    }
  },
  HANGS_AFTER_MS,
);

async function buildImages(): Promise<void> {
  const dockerfile = join(DEPLOY, "docker", "Dockerfile");
  const build = (file: string, tag: string, ...options: readonly string[]) =>
    docker("build", "--network", "host", "--file", file, "--tag", tag, ...options, DEPLOY);
  await build(dockerfile, IMAGES.service, "--target", "service");
  await build(dockerfile, IMAGES.trial, "--target", "trial");
  await build(join(DEPLOY, "docker", "pgbouncer.Dockerfile"), IMAGES.pgbouncer);
  for (const [name, tag] of Object.entries(IMAGES)) {
    const [bytes = "", user = ""] = (await docker("image", "inspect", "--format", "{{.Size}} {{.Config.User}}", tag))
      .trim()
      .split(" ");
    const megabytes = Math.ceil(Number(bytes) / 1_000_000);
    console.log(`image ${name}: ${megabytes} MB, user ${user}`);
    if (user === "" || user === "root" || user === "0") throw new Error(`the image ${name} runs as root`);
    if (name === "service" && megabytes > MOST_SERVICE_MB) {
      throw new Error(`the image ${name} is larger than ${MOST_SERVICE_MB} MB`);
    }
  }
  for (const program of ["/bin/sh", "/usr/local/bin/npm", "/usr/bin/gcc"]) {
    if (await succeeds(docker("run", "--rm", "--entrypoint", program, IMAGES.service, "--version"))) {
      throw new Error(`the image of the service has ${program}`);
    }
  }
}

/** The image with the embedded database starts without settings. */
async function checkTrial(): Promise<void> {
  const id = (await docker("run", "--detach", "--rm", IMAGES.trial)).trim();
  try {
    await untilHealthy(id);
    const ready = "fetch('http://127.0.0.1:4400/readyz').then(({ ok }) => process.exit(ok ? 0 : 1))";
    await docker("exec", id, "/usr/local/bin/node", "-e", ready);
    console.log("trial: starts without settings and is ready");
  } finally {
    await docker("stop", "--time", "30", id);
  }
}

async function checkCompose(): Promise<void> {
  await compose("--profile", "simulator", "up", "--detach", "--no-build");
  const containerOf = async (service: string) => (await compose("ps", "--quiet", service)).trim();
  for (const service of REPLACED) await untilHealthy(await containerOf(service));
  console.log("compose: PostgreSQL, PgBouncer, two apis, two workers, the proxy and the simulator run");
  // The simulator may still be starting.
  console.log(`compose: ${(await eventually(() => docker(...journey("link")))).trim()}`);

  const load = spawn("docker", journey("load"), {
    env: cleanEnvironment(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(load, "exit");
  let output = "";
  load.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString("utf8");
  });
  await once(load.stdout, "data");
  for (const service of REPLACED) {
    await compose("up", "--detach", "--no-build", "--no-deps", "--force-recreate", service);
    await untilHealthy(await containerOf(service));
    await setTimeout(PROXY_NOTICES_MS);
  }
  load.stdin.end();
  const [code] = (await ended) as [number | null];
  console.log(`compose: each process replaced; ${output.replace("sending\n", "").trim()}`);
  if (code !== 0) {
    const log = await compose("logs", "--no-log-prefix", "--tail", "100", "proxy");
    throw new CommandError(`requests failed during the rolling restart; the proxy's log ends with\n${log.trim()}`);
  }
}

/** Parameters of `docker` that run a journey in the sandbox's network, with its certificate authority. */
function journey(action: "link" | "load"): string[] {
  const volumes = [`${ROOT}:${ROOT}:ro`, `${PROJECT}_secrets:/run/sandbox:ro`, `${PROJECT}_simulator:/data:ro`];
  return [
    ...["run", "--rm", "--interactive", "--network", `${PROJECT}_default`],
    ...volumes.flatMap((volume) => ["--volume", volume]),
    ...["--env", "NODE_EXTRA_CA_CERTS=/run/sandbox/ca.crt", "--workdir", ROOT, "--entrypoint", "node", NODE_IMAGE],
    ...[
      "--conditions=@social-connect/source",
      "--disable-warning=ExperimentalWarning",
      "tools/deploy/journey.ts",
      action,
    ],
  ];
}

async function untilHealthy(container: string): Promise<void> {
  const status = () => docker("inspect", "--format", "{{.State.Health.Status}}", container);
  await eventually(async () => expect((await status()).trim()).toBe("healthy"), HEALTHY_TIMEOUT_MS).catch(async () => {
    throw new CommandError(`a container is not healthy:\n${await docker("logs", "--tail", "20", container)}`);
  });
}

async function removeAll(): Promise<void> {
  await succeeds(compose("--profile", "simulator", "down", "--volumes", "--remove-orphans", "--timeout", "40"));
  for (const image of Object.values(IMAGES)) await succeeds(docker("rmi", image));
  await succeeds(docker("image", "prune", "--force", "--filter", OWN_LABEL));
  const filter = `label=com.docker.compose.project=${PROJECT}`;
  const rest = [
    await docker("ps", "--all", "--quiet", "--filter", filter),
    await docker("volume", "ls", "--quiet", "--filter", filter),
    await docker("network", "ls", "--quiet", "--filter", filter),
  ];
  if (rest.join("").trim() !== "") throw new Error(`containers, volumes or networks remain:\n${rest.join("")}`);
  console.log("removed: containers, volumes, networks and images of this check");
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
