import type { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { EntryPoint } from "./entryPoints.ts";
import { type WrittenRequest, writeRequest } from "./httpRequest.ts";
import { judgeAnswer, SLOW_MS } from "./judge.ts";
import { requestRandom } from "./random.ts";
import { type Answer, send } from "./send.ts";
import type { World } from "./world.ts";

const CONCURRENCY = 8;
/** A request that was slow or unanswered in the crowd is judged by these tries without one. */
const ATTEMPTS_WITHOUT_LOAD = 3;
const RECENT = 40;
/** More of them would add no information. */
const MOST_VIOLATIONS = 50;

interface Sent {
  readonly entry: string;
  readonly index: string;
  /** Base64 of the sent bytes. */
  readonly request: string;
}

interface Violation extends Partial<Sent> {
  readonly problem: string;
  readonly answer?: string;
  /** The preceding requests, for violations that only show in the log. */
  readonly recent?: readonly Sent[];
}

/** Sends requests, judges the responses, and collects violations. */
export class Run {
  readonly violations: Violation[] = [];
  readonly #world: World;
  readonly #deployment: Deployment;
  readonly #seed: string;
  readonly #statuses = new Map<string, number>();
  readonly #recent: Sent[] = [];
  readonly #suspects: { readonly sent: Sent; readonly request: WrittenRequest }[] = [];
  #hasEnded = false;

  constructor(world: World, deployment: Deployment, seed: string) {
    this.#world = world;
    this.#deployment = deployment;
    this.#seed = seed;
  }

  /** Sends a number of requests to an entry point; `series` distinguishes runs. */
  async send(entryPoint: EntryPoint, count: number, series: string): Promise<void> {
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < count && this.violations.length < MOST_VIOLATIONS) {
        await this.sendOne(entryPoint, `${series}${next++}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    await this.#judgeSuspects();
    this.#judgeProcess();
  }

  async sendOne(entryPoint: EntryPoint, index: string): Promise<void> {
    const { host, port, secrets } = this.#world;
    const random = requestRandom(`${this.#seed}:${entryPoint.name}:${index}`);
    const request = writeRequest(await entryPoint.request(this.#world, random), host, random);
    const sent: Sent = { entry: entryPoint.name, index, request: request.bytes.toString("base64") };
    this.#recent.push(sent);
    if (this.#recent.length > RECENT) this.#recent.shift();
    const answer = await send(port, request);
    const status = String(answer.status ?? "closed");
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    if (isBad(answer, request)) this.#suspects.push({ sent, request });
    for (const problem of judgeAnswer(entryPoint, request, answer, secrets))
      if (problem !== "no answer") this.#violate(problem, sent, answer);
    this.#judgeLog();
  }

  report(problem: string): void {
    console.error(problem);
    this.violations.push({ problem });
  }

  /** The statuses since the last call. */
  takeStatuses(): string {
    const counted = [...this.#statuses].map(([status, count]) => `${status}×${count}`).join(" ");
    this.#statuses.clear();
    return counted;
  }

  /** The last log lines may arrive after the response. */
  finish(): void {
    this.#judgeProcess();
    this.#judgeLog();
  }

  /** Repeats what was slow or unanswered when nothing else is sent: on a busy machine others may have been the reason. */
  async #judgeSuspects(): Promise<void> {
    for (const { sent, request } of this.#suspects.splice(0)) {
      let answer = await send(this.#world.port, request);
      for (let tries = 1; tries < ATTEMPTS_WITHOUT_LOAD && isBad(answer, request); tries += 1)
        answer = await send(this.#world.port, request);
      if (!isBad(answer, request)) continue;
      const slow = `took ${Math.round(answer.elapsedMs)} ms without other load`;
      this.#violate(answer.elapsedMs > SLOW_MS ? slow : "no answer", sent, answer);
    }
  }

  #judgeLog(): void {
    for (const line of this.#deployment.processes.flatMap(takeComplaints)) {
      console.error(`log: ${line}`);
      this.violations.push({ problem: `log: ${line}`, recent: [...this.#recent] });
    }
  }

  #judgeProcess(): void {
    if (this.#hasEnded || !this.#deployment.api.program.hasEnded) return;
    this.#hasEnded = true;
    this.report("The API's process ended.");
  }

  #violate(problem: string, sent: Sent, answer: Answer): void {
    console.error(`${sent.entry} ${sent.index}: ${problem}`);
    this.violations.push({ problem, ...sent, answer: answer.text.slice(0, 4_000) });
  }
}

/** What a process has written since the last call: errors in its log, and anything beside it, such as a warning of Node. */
function takeComplaints({ lines, warnings }: ServiceProcess): string[] {
  const errors = lines.splice(0).filter(({ level }) => level !== "warn" && level !== "info" && level !== "debug");
  return [...errors.map((line) => JSON.stringify(line)), ...warnings.splice(0)].map((line) => line.slice(0, 4_000));
}

function isBad({ status, elapsedMs }: Answer, { isWellFormed }: WrittenRequest): boolean {
  return elapsedMs > SLOW_MS || (isWellFormed && status === null);
}
