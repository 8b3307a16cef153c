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
  readonly request: WrittenRequest;
}

export interface Violation {
  readonly problem: string;
  readonly entry?: string;
  readonly index?: string;
  /** Base64 of the sent bytes. */
  readonly request?: string;
  readonly answer?: string;
  /** The preceding requests, for violations that only show in the log. */
  readonly recent?: readonly { readonly entry: string; readonly index: string; readonly request: string }[];
}

/** Sends requests, judges the responses, and collects violations. */
export class Run {
  readonly violations: Violation[] = [];
  readonly #world: World;
  readonly #deployment: Deployment;
  readonly #seed: string;
  readonly #statuses = new Map<string, Map<string, number>>();
  readonly #recent: Sent[] = [];
  #suspects: (Sent & { readonly entryPoint: EntryPoint })[] = [];
  #hasEnded = false;

  constructor(world: World, deployment: Deployment, seed: string) {
    this.#world = world;
    this.#deployment = deployment;
    this.#seed = seed;
  }

  /** Sends a number of requests to an entry point; `series` distinguishes runs. */
  async send(entryPoint: EntryPoint, count: number, series: string): Promise<number> {
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < count && this.violations.length < MOST_VIOLATIONS) {
        await this.sendOne(entryPoint, next++, series);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    await this.#judgeSuspects();
    this.#judgeProcess();
    return next;
  }

  async sendOne(entryPoint: EntryPoint, index: number, series = ""): Promise<void> {
    const name = `${series}${series && ":"}${index}`;
    const random = requestRandom(`${this.#seed}:${entryPoint.name}:${name}`);
    const request = writeRequest(await entryPoint.request(this.#world, random), this.#world.host, random);
    const sent: Sent = { entry: entryPoint.name, index: name, request };
    this.#recent.push(sent);
    if (this.#recent.length > RECENT) this.#recent.shift();
    const answer = await send(this.#world.port, request);
    this.#count(entryPoint.name, answer);
    const problems = judgeAnswer(entryPoint, request, answer, this.#world.secrets);
    if (answer.elapsedMs > SLOW_MS || problems.includes("no answer")) this.#suspects.push({ ...sent, entryPoint });
    for (const problem of problems) if (problem !== "no answer") this.#violate(problem, sent, answer);
    this.#judgeLog();
  }

  report(problem: string): void {
    console.error(problem);
    this.violations.push({ problem });
  }

  statusesOf({ name }: EntryPoint): string {
    return [...(this.#statuses.get(name) ?? [])].map(([status, count]) => `${status}×${count}`).join(" ");
  }

  /** The last log lines may arrive after the response. */
  finish(): void {
    this.#judgeProcess();
    this.#judgeLog();
  }

  #count(entry: string, { status }: Answer): void {
    const counts = this.#statuses.get(entry) ?? new Map<string, number>();
    this.#statuses.set(entry, counts);
    const key = String(status ?? "closed");
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  /** Repeats what was slow or unanswered when nothing else is sent: on a busy machine others may have been the reason. */
  async #judgeSuspects(): Promise<void> {
    const suspects = this.#suspects;
    this.#suspects = [];
    for (const suspect of suspects) {
      let best: Answer | null = null;
      for (
        let tries = 0;
        tries < ATTEMPTS_WITHOUT_LOAD && (best === null || isBad(best, suspect.request));
        tries += 1
      ) {
        best = await send(this.#world.port, suspect.request);
      }
      if (best === null || !isBad(best, suspect.request)) continue;
      const problem =
        best.elapsedMs > SLOW_MS ? `took ${Math.round(best.elapsedMs)} ms without other load` : "no answer";
      this.#violate(problem, suspect, best);
    }
  }

  #judgeLog(): void {
    for (const line of this.#deployment.processes.flatMap(takeComplaints)) {
      console.error(`log: ${line}`);
      const recent = this.#recent.map(({ entry, index, request }) => ({ entry, index, request: base64(request) }));
      this.violations.push({ problem: `log: ${line}`, recent });
    }
  }

  #judgeProcess(): void {
    if (this.#hasEnded || !this.#deployment.api.program.hasEnded) return;
    this.#hasEnded = true;
    this.report("The API's process ended.");
  }

  #violate(problem: string, { entry, index, request }: Sent, answer: Answer): void {
    console.error(`${entry} ${index}: ${problem}`);
    this.violations.push({ problem, entry, index, request: base64(request), answer: answer.text.slice(0, 4_000) });
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

function base64({ bytes }: WrittenRequest): string {
  return bytes.toString("base64");
}
