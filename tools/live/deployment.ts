import { appendFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Shutdown } from "../../apps/server/src/platform/shutdown.ts";
import type { Environment, StartedProgram } from "../../packages/testkit/src/harness/startedProgram.ts";
import type { Machine } from "./machine.ts";
import type { Pages } from "./pages.ts";
import { Terminal } from "./terminal.ts";

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
    shutdown: Shutdown,
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
    shutdown.add(async () => terminal.close());
    const { urls, apis, upstreams, database, certificates } = machine;
    pages.replacements.push(
      ["@social-connect/server", tarballs.join(" ")],
      ["https://connect.example.com", urls.service],
      ["http://localhost:4400", urls.service],
      ["https://id.example.com", urls.issuer],
      ["http://localhost:5556", urls.issuer],
      ["db.example.com:5432", `127.0.0.1:${database.port}`],
      ["/etc/ssl/company-ca.crt", certificates.authority],
      [/\b4400\b/g, String(apis[0])],
      [/\b4401\b/g, String(apis[1])],
      [/\b5556\b/g, String(upstreams.issuer)],
    );
    const deployment = new Deployment(pages, machine, folder, terminal);
    shutdown.add(() => deployment.stop());
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

  /** Starts processes of the page, each in a separate terminal. */
  async start(...roles: Started["role"][]): Promise<void> {
    for (const command of this.#pages.lines("start")) {
      const role = command.includes("worker") ? "worker" : "api";
      if (!roles.includes(role)) continue;
      const port = /PORT=(\d+)/.exec(command)?.[1];
      this.#processes.push(await this.#start({ role, port, command }));
    }
  }

  async stop(): Promise<void> {
    for (const { program } of this.#processes.splice(0)) await program.stop();
  }

  /** Replaces the workers, then the api processes, one after the other. */
  async restart(): Promise<void> {
    const isWorker = ({ role }: Started) => role === "worker";
    const ordered = [...this.#processes.filter(isWorker), ...this.#processes.filter((each) => !isWorker(each))];
    for (const each of ordered) {
      await each.program.stop();
      this.#processes.splice(this.#processes.indexOf(each), 1, await this.#start(each));
    }
  }

  /** What `doctor` reports of another issuer: the problem and the remedy. */
  async issuerProblem(settings: string): Promise<string> {
    const output = await this.terminal.run(`${settings} social-connect doctor`, { code: 1 });
    const lines = output.split("\n").filter((line) => /^(?:failed +issuer |issuer: )/.test(line));
    if (lines.length !== 2) throw new Error(`doctor reports no problem of the issuer:\n${output}`);
    return lines.join(". ");
  }

  async #start({ role, port, command }: Omit<Started, "program">): Promise<Started> {
    const log = join(this.#folder, `${role}.log`);
    let lines = 0;
    const program = await this.terminal.start(command, command, (line) => {
      lines += 1;
      appendFileSync(log, `${line}\n`);
    });
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    await program.until(role === "api" ? isReady : async () => lines > 0);
    return { role, port, command, program };
  }

  /** The OpenID provider of its page, in another folder. */
  async #startIssuer(environment: Environment, shutdown: Shutdown): Promise<void> {
    const folder = join(this.#machine.folder, "issuer");
    await mkdir(folder);
    await writeFile(join(folder, "issuer.mjs"), this.#pages.block("issuer.mjs"));
    const terminal = new Terminal(folder, environment);
    const commands = this.#pages.lines("issuer");
    await terminal.run(commands.slice(0, -1).join("\n"));
    this.#pages.replacements.push(["the client's secret", await terminal.run("echo $ISSUER_CLIENT_SECRET")]);
    const program = await terminal.start("issuer", commands.at(-1) ?? "", () => undefined);
    shutdown.add(() => program.stop());
    terminal.close();
    await program.until(async () => (await fetch(`${this.#machine.urls.issuer}/.well-known/openid-configuration`)).ok);
  }
}
