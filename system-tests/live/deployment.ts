import { mkdir, stat, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Environment, StartedProgram } from "../../packages/testkit/src/harness/startedProgram.ts";
import type { Machine } from "./machine.ts";
import type { Pages } from "./pages.ts";
import { Terminal } from "./terminal.ts";

const TLS_PARAMETERS = "?sslmode=verify-full&sslrootcert=/etc/ssl/db-ca.crt";

/** A process that a line of the page starts. */
interface Started {
  readonly role: "api" | "worker";
  readonly port: string | undefined;
  readonly command: string;
  readonly program: StartedProgram;
}

/** The deployment of the pages, in a folder with a terminal. */
export class Deployment {
  readonly terminal: Terminal;
  readonly #pages: Pages;
  readonly #machine: Machine;
  readonly #folder: string;
  readonly #processes: Started[] = [];
  /** The block of a page that starts the processes. */
  block: "start" | "start-with-metrics" = "start";

  private constructor(pages: Pages, machine: Machine, folder: string, terminal: Terminal) {
    this.#pages = pages;
    this.#machine = machine;
    this.#folder = folder;
    this.terminal = terminal;
  }

  /** From an empty folder to a database with the first admin. */
  static async install(
    pages: Pages,
    machine: Machine,
    tarballs: readonly string[],
    shutdown: AsyncDisposableStack,
  ): Promise<Deployment> {
    const folder = join(machine.folder, "empty");
    await mkdir(folder);
    const environment = {
      npm_config_prefer_offline: "true",
      npm_config_audit: "false",
      npm_config_fund: "false",
      PATH: [machine.database.programs ?? [], process.env["PATH"]].flat().join(delimiter),
    };
    const terminal = new Terminal(folder, environment);
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
    const deployment = new Deployment(pages, machine, folder, terminal);
    shutdown.defer(() => deployment.stop("api", "worker"));
    await deployment.#startIssuer(environment, shutdown);
    await terminal.run(pages.block("install"));
    // After the packages, because the machine's registry may have another authority.
    await terminal.run(pages.block("authority"));
    await terminal.run(pages.block("secrets"));
    await writeFile(join(folder, "live.env"), pages.block("live.env"));
    await terminal.run(pages.block("terminal"));
    await terminal.run(pages.block("database"));
    return deployment;
  }

  /** Starts those processes of a block that do not run, each in a separate terminal. */
  async start(...roles: Started["role"][]): Promise<void> {
    for (const command of this.#pages.lines(this.block)) {
      const role = command.includes("worker") ? "worker" : "api";
      const isRunning = this.#processes.some((each) => each.command === command);
      if (!roles.includes(role) || isRunning) continue;
      this.#processes.push(await this.#start(role, command));
    }
  }

  async stop(...roles: Started["role"][]): Promise<void> {
    await this.#stop(({ role }) => roles.includes(role));
  }

  /** Stops the process at a port. */
  async stopAt(port: number): Promise<void> {
    await this.#stop((each) => each.port === String(port));
  }

  /** Stops the processes of a role and starts them in another way, with a command in front. */
  async replace(role: Started["role"], before: string): Promise<void> {
    for (const { command, program } of this.#processes.filter((each) => each.role === role)) {
      await this.#stop((each) => each.program === program);
      this.#processes.push(await this.#start(role, command, before));
    }
  }

  /** Sends a signal to the process at a port, and gives its id. */
  signal(port: number, name: NodeJS.Signals | 0): number {
    const { program } = this.#processes.find((each) => each.port === String(port)) ?? {};
    const { pid } = program?.child ?? {};
    if (pid === undefined || program?.hasEnded) throw new Error(`no process runs at ${port}: ${program?.output()}`);
    process.kill(pid, name);
    return pid;
  }

  /** Replaces the workers, then the api processes, one after the other. */
  async restart(): Promise<void> {
    const isWorker = ({ role }: Started) => role === "worker";
    const ordered = [...this.#processes.filter(isWorker), ...this.#processes.filter((each) => !isWorker(each))];
    for (const each of ordered) {
      await this.#stop((other) => other === each);
      this.#processes.push(await this.#start(each.role, each.command));
    }
  }

  async #stop(isMeant: (process: Started) => boolean): Promise<void> {
    for (const each of this.#processes.filter(isMeant)) {
      this.#processes.splice(this.#processes.indexOf(each), 1);
      await each.program.stop();
    }
  }

  /** What `doctor` reports of another issuer: the problem and the remedy. */
  async issuerProblem(settings: string): Promise<string> {
    const output = await this.terminal.run(`${settings} social-connect doctor`, { code: 1 });
    const lines = output.split("\n").filter((line) => /^(?:failed +issuer |issuer: )/.test(line));
    if (lines.length !== 2) throw new Error(`doctor reports no problem of the issuer:\n${output}`);
    return lines.join(". ");
  }

  async #start(role: Started["role"], command: string, before = ""): Promise<Started> {
    const port = /(?<!_)PORT=(\d+)/.exec(command)?.[1];
    const log = join(this.#folder, `${role}.log`);
    const sizeOf = async () => (await stat(log).catch(() => ({ size: 0 }))).size;
    const size = await sizeOf();
    const program = await this.terminal.start(command, before + command);
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    await program.until(role === "api" ? isReady : async () => (await sizeOf()) > size);
    return { role, port, command, program };
  }

  /** The OpenID provider of its page, in another folder. */
  async #startIssuer(environment: Environment, shutdown: AsyncDisposableStack): Promise<void> {
    const folder = join(this.#machine.folder, "issuer");
    await mkdir(folder);
    await writeFile(join(folder, "issuer.mjs"), this.#pages.block("issuer.mjs"));
    const terminal = new Terminal(folder, environment);
    const commands = this.#pages.lines("issuer");
    await terminal.run(commands.slice(0, -1).join("\n"));
    this.#pages.replacements.push(["the client's secret", await terminal.run("echo $ISSUER_CLIENT_SECRET")]);
    const program = await terminal.start("issuer", commands.at(-1) ?? "");
    shutdown.defer(() => program.stop());
    terminal.close();
    await program.until(async () => (await fetch(`${this.#machine.urls.issuer}/.well-known/openid-configuration`)).ok);
  }
}
