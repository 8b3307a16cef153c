import { mkdir, stat, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Environment, StartedProgram } from "../../packages/testkit/src/harness/startedProgram.ts";
import type { Machine } from "./machine.ts";
import type { Pages } from "./pages.ts";
import { openTerminal } from "./terminal.ts";

const TLS_PARAMETERS = "?sslmode=verify-full&sslrootcert=/etc/ssl/db-ca.crt";

/** A process that a line of the page starts. */
interface Started {
  readonly role: "api" | "worker";
  readonly port: string | undefined;
  readonly command: string;
  readonly program: StartedProgram;
}

export type Deployment = Awaited<ReturnType<typeof installDeployment>>;

/** The deployment of the pages, in a folder with a terminal: from an empty folder to a database with the first admin. */
export async function installDeployment(
  pages: Pages,
  machine: Machine,
  tarballs: readonly string[],
  shutdown: AsyncDisposableStack,
) {
  const folder = join(machine.folder, "empty");
  await mkdir(folder);
  const environment = {
    npm_config_prefer_offline: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
    PATH: [machine.database.programs ?? [], process.env["PATH"]].flat().join(delimiter),
  };
  const terminal = openTerminal(folder, environment);
  shutdown.defer(async () => terminal.close());
  const { urls, apis, upstreams, database, certificates } = machine;
  pages.replacements.push(
    ["@social-connect/server", tarballs.join(" ")],
    ["https://connect.example.com", urls.service],
    ["http://localhost:4400", urls.service],
    ["https://id.example.com", urls.issuer],
    ["http://localhost:5556", urls.issuer],
    ["db.example.com:5432", database.address],
    // The page omits them for a database on this machine.
    ...(database.isRemote ? [] : [[TLS_PARAMETERS, ""] as const]),
    ["/etc/ssl/db-ca.crt", certificates.authority],
    ["/etc/ssl/company-ca.crt", certificates.authority],
    [/\b4400\b/g, String(apis[0])],
    [/\b4401\b/g, String(apis[1])],
    [/\b5556\b/g, String(upstreams.issuer)],
    ...machine.metrics.map((port, index) => [new RegExp(`\\b${9464 + index}\\b`, "g"), String(port)] as const),
  );
  const processes: Started[] = [];

  const startOne = async (role: Started["role"], command: string, before = ""): Promise<void> => {
    const port = /(?<!_)PORT=(\d+)/.exec(command)?.[1];
    const log = join(folder, `${role}.log`);
    const sizeOf = async () => (await stat(log).catch(() => ({ size: 0 }))).size;
    const size = await sizeOf();
    const program = await terminal.start(command, before + command);
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    await program.until(role === "api" ? isReady : async () => (await sizeOf()) > size);
    processes.push({ role, port, command, program });
  };

  const stopThose = async (isMeant: (process: Started) => boolean): Promise<void> => {
    for (const each of processes.filter(isMeant)) {
      processes.splice(processes.indexOf(each), 1);
      await each.program.stop();
    }
  };

  const deployment = {
    terminal,
    /** The block of a page that starts the processes. */
    block: "start" as "start" | "start-with-metrics",
    /** Starts those processes of a block that do not run, each in a separate terminal. */
    start: async (...roles: Started["role"][]): Promise<void> => {
      for (const command of pages.lines(deployment.block)) {
        const role = command.includes("worker") ? "worker" : "api";
        const isRunning = processes.some((each) => each.command === command);
        if (roles.includes(role) && !isRunning) await startOne(role, command);
      }
    },
    stop: (...roles: Started["role"][]) => stopThose(({ role }) => roles.includes(role)),
    /** Stops the process at a port. */
    stopAt: (port: number) => stopThose((each) => each.port === String(port)),
    /** Stops the processes of a role and starts them in another way, with a command in front. */
    replace: async (role: Started["role"], before: string): Promise<void> => {
      for (const each of processes.filter((other) => other.role === role)) {
        await stopThose((other) => other === each);
        await startOne(role, each.command, before);
      }
    },
    /** Sends a signal to the process at a port, and gives its id. */
    signal: (port: number, name: NodeJS.Signals | 0): number => {
      const { program } = processes.find((each) => each.port === String(port)) ?? {};
      const { pid } = program?.child ?? {};
      if (pid === undefined || program?.hasEnded()) throw new Error(`no process runs at ${port}: ${program?.output()}`);
      process.kill(pid, name);
      return pid;
    },
    /** Replaces the workers, then the api processes, one after the other. */
    restart: async (): Promise<void> => {
      for (const role of ["worker", "api"] as const) await deployment.replace(role, "");
    },
    /** What `doctor` reports of another issuer: the problem and the remedy. */
    issuerProblem: async (settings: string): Promise<string> => {
      const output = await terminal.run(`${settings} social-connect doctor`, { code: 1 });
      const lines = output.split("\n").filter((line) => /^(?:failed +issuer |issuer: )/.test(line));
      if (lines.length !== 2) throw new Error(`doctor reports no problem of the issuer:\n${output}`);
      return lines.join(". ");
    },
  };
  shutdown.defer(() => deployment.stop("api", "worker"));
  await startIssuer(pages, machine, environment, shutdown);
  await terminal.run(pages.block("install"));
  // After the packages, because the machine's registry may have another authority.
  await terminal.run(pages.block("authority"));
  await terminal.run(pages.block("secrets"));
  await writeFile(join(folder, "live.env"), pages.block("live.env"));
  await terminal.run(pages.block("terminal"));
  await terminal.run(pages.block("database"));
  return deployment;
}

/** The OpenID provider of its page, in another folder. */
async function startIssuer(pages: Pages, machine: Machine, environment: Environment, shutdown: AsyncDisposableStack) {
  const folder = join(machine.folder, "issuer");
  await mkdir(folder);
  await writeFile(join(folder, "issuer.mjs"), pages.block("issuer.mjs"));
  const terminal = openTerminal(folder, environment);
  const commands = pages.lines("issuer");
  await terminal.run(commands.slice(0, -1).join("\n"));
  pages.replacements.push(["the client's secret", await terminal.run("echo $ISSUER_CLIENT_SECRET")]);
  const program = shutdown.use(await terminal.start("issuer", commands.at(-1) ?? ""));
  terminal.close();
  await program.until(async () => (await fetch(`${machine.urls.issuer}/.well-known/openid-configuration`)).ok);
}
