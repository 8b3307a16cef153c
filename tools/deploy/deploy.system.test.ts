/**
 * The files of `deploy/`: the Kubernetes manifests, systemd units and alert rules are valid. SWEEP=all also builds the images, starts
 * the compose file, links an account through the proxy, replaces each process under load, and removes everything again.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { cleanEnvironment } from "../../packages/testkit/src/harness/startedProgram.ts";
import { reservePort } from "../../packages/testkit/src/ports.ts";
import { SWEEPS_ALL } from "../../packages/testkit/src/sweep.ts";
import { CommandError } from "../packages/commands.ts";
import { ROOT } from "../packages/publishedPackages.ts";
import { checkAlertRules, hasPromtool } from "./alertRules.ts";
import { type Docker, findDocker } from "./docker.ts";
import { checkManifest, checkManifests, installSchemas } from "./manifests.ts";
import { packForImages } from "./pack.ts";
import { checkUnits, hasSystemd } from "./units.ts";

const DEPLOY = join(ROOT, "deploy");
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
const POLL_MS = 500;
/** The proxy asks every second whether a process is ready. */
const PROXY_NOTICES_MS = 3_000;
const OWN_LABEL = "label=org.opencontainers.image.title=social-connect";

/** Ends hangs: packages are downloaded, and images are built. */
const HANGS_AFTER_MS = 3_600_000;

const docker = SWEEPS_ALL
  ? findDocker({
      file: join(DEPLOY, "compose", "compose.yaml"),
      project: PROJECT,
      environment: {
        SOCIAL_CONNECT_IMAGE: IMAGES.service,
        SOCIAL_CONNECT_SIMULATOR_IMAGE: IMAGES.trial,
        SOCIAL_CONNECT_PGBOUNCER_IMAGE: IMAGES.pgbouncer,
        SOCIAL_CONNECT_PORT: String(await reservePort()),
      },
    })
  : "it takes SWEEP=all";

test(
  "the Kubernetes manifests are valid",
  async () => {
    await installSchemas();
    const { problems, objects } = await checkManifests(join(DEPLOY, "kubernetes"));
    expect(problems).toEqual([]);
    expect(objects.length).toBeGreaterThan(0);
    // The control.
    const broken = "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: control }\nspec: { replicas: two }\n";
    expect((await checkManifest(broken)).problems).not.toEqual([]);
  },
  HANGS_AFTER_MS,
);

test.skipIf(!hasSystemd)("the systemd units are valid and hardened (needs systemd-analyze)", async () => {
  expect((await checkUnits(join(DEPLOY, "systemd"))).length).toBeGreaterThan(0);
});

test.skipIf(!hasPromtool)("promtool accepts and tests the alert rules (Debian package prometheus)", async () => {
  await checkAlertRules(join(DEPLOY, "prometheus"));
});

test.skipIf(typeof docker === "string")(
  "the images and the compose file work, and each process can be replaced under load (needs Docker)",
  async () => {
    if (typeof docker === "string") throw new Error(docker);
    try {
      await packForImages();
      await buildImages(docker);
      await checkTrial(docker);
      await checkCompose(docker);
    } finally {
      await removeAll(docker);
    }
  },
  HANGS_AFTER_MS,
);

async function buildImages({ docker }: Docker): Promise<void> {
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
async function checkTrial(engine: Docker): Promise<void> {
  const id = (await engine.docker("run", "--detach", "--rm", IMAGES.trial)).trim();
  try {
    await untilHealthy(engine, id);
    const ready = "fetch('http://127.0.0.1:4400/readyz').then(({ ok }) => process.exit(ok ? 0 : 1))";
    await engine.docker("exec", id, "/usr/local/bin/node", "-e", ready);
    console.log("trial: starts without settings and is ready");
  } finally {
    await engine.docker("stop", "--time", "30", id);
  }
}

async function checkCompose(engine: Docker): Promise<void> {
  await engine.compose("--profile", "simulator", "up", "--detach", "--no-build");
  const containerOf = async (service: string) => (await engine.compose("ps", "--quiet", service)).trim();
  for (const service of REPLACED) await untilHealthy(engine, await containerOf(service));
  console.log("compose: PostgreSQL, PgBouncer, two apis, two workers, the proxy and the simulator run");
  console.log(`compose: ${(await retried(() => engine.docker(...journey("link")))).trim()}`);

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
    await engine.compose("up", "--detach", "--no-build", "--no-deps", "--force-recreate", service);
    await untilHealthy(engine, await containerOf(service));
    await setTimeout(PROXY_NOTICES_MS);
  }
  load.stdin.end();
  const [code] = (await ended) as [number | null];
  console.log(`compose: each process replaced; ${output.replace("sending\n", "").trim()}`);
  if (code !== 0) {
    const log = await engine.compose("logs", "--no-log-prefix", "--tail", "100", "proxy");
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

/** The simulator may still be starting. */
async function retried(work: () => Promise<string>): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === 10) throw error;
      await setTimeout(2_000);
    }
  }
}

async function untilHealthy({ docker }: Docker, container: string): Promise<void> {
  const deadline = AbortSignal.timeout(HEALTHY_TIMEOUT_MS);
  while (!deadline.aborted) {
    const status = (await docker("inspect", "--format", "{{.State.Health.Status}}", container)).trim();
    if (status === "healthy") return;
    await setTimeout(POLL_MS);
  }
  throw new CommandError(`a container is not healthy:\n${(await docker("logs", "--tail", "20", container)).trim()}`);
}

async function removeAll(engine: Docker): Promise<void> {
  await succeeds(engine.compose("--profile", "simulator", "down", "--volumes", "--remove-orphans", "--timeout", "40"));
  for (const image of Object.values(IMAGES)) await succeeds(engine.docker("rmi", image));
  await succeeds(engine.docker("image", "prune", "--force", "--filter", OWN_LABEL));
  const filter = `label=com.docker.compose.project=${PROJECT}`;
  const rest = [
    await engine.docker("ps", "--all", "--quiet", "--filter", filter),
    await engine.docker("volume", "ls", "--quiet", "--filter", filter),
    await engine.docker("network", "ls", "--quiet", "--filter", filter),
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
