import { PostRepository } from "../providers/posts.ts";
import type { Settings } from "../state/settings.ts";
import type { AgendaEntry, MockState } from "../state/state.ts";
import { sha256Hex } from "../util/hash.ts";
import { machineNowMs } from "../util/machineClock.ts";
import type { Random } from "../util/random.ts";
import { randomHex, randomOf, randomUuid } from "../util/random.ts";
import { planEntry, takeFirst } from "./schedule.ts";

/** Does what an entry of the agenda is about. */
export type AgendaRunner = (world: World, entry: AgendaEntry) => void;

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
  readonly stop: (reason: Error) => void;
}

/** Thrown to a request that was waiting when the mock was put back to another state: its connection is cut. */
export class ForgottenError extends Error {
  constructor() {
    super("The mock was reset or restored while this request was being answered.");
    this.name = "ForgottenError";
  }
}

const TURNS = 30;

/** Gives requests in this process turns of the microtask queue, to begin in or to go on in once a moment has come. */
export async function letRequestsGoOn(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await Promise.resolve();
}

/** The state with its time and its numbers: what every rule of the mock is given. */
export class World {
  readonly settings: Settings;
  readonly #run: AgendaRunner;
  #state: MockState;
  #random: Random;
  #posts: PostRepository;
  #sealKey: string;
  /** The moment of the entry that is being run. */
  #running: number | null = null;
  #sleepers: Sleeper[] = [];

  constructor(settings: Settings, state: MockState, run: AgendaRunner) {
    this.settings = settings;
    this.#run = run;
    this.#state = state;
    this.#random = randomOf(state.random);
    this.#posts = new PostRepository(state.seed, state.startedAt);
    this.#sealKey = sha256Hex(`seal ${state.seed}`);
  }

  get state(): MockState {
    return this.#state;
  }

  get random(): Random {
    return this.#random;
  }

  get posts(): PostRepository {
    return this.#posts;
  }

  /** For cursors: a text that only this seed makes. */
  get sealKey(): string {
    return this.#sealKey;
  }

  /** Puts another state in the place of this one. Requests that wait for a moment are cut off. */
  replace(state: MockState): void {
    const { seed, startedAt } = this.#state;
    this.#state = state;
    this.#random = randomOf(state.random);
    if (state.seed === seed && state.startedAt.getTime() === startedAt.getTime()) this.#posts.forget();
    else this.#posts = new PostRepository(state.seed, state.startedAt);
    this.#sealKey = sha256Hex(`seal ${state.seed}`);
    for (const sleeper of this.#sleepers.splice(0)) sleeper.stop(new ForgottenError());
  }

  now(): Date {
    return new Date(this.nowMs());
  }

  nowMs(): number {
    if (this.#running !== null) return this.#running;
    return this.settings.clock === "manual" ? this.#state.clockMs : machineNowMs() + this.#state.clockMs;
  }

  /** Spreads retries and background reads over their range: a number in [0, 1). */
  jitter(): number {
    const bySeed = this.#random.fraction();
    return this.settings.jitter ?? bySeed;
  }

  newId(): string {
    return randomUuid(this.#random);
  }

  /** 64 hexadecimal characters: a launch token, a proof, a state or the secret of a key. */
  newSecret(): string {
    return randomHex(this.#random, 32);
  }

  plan(atMs: number, what: AgendaEntry["what"], id: string): void {
    this.#state.agendaCount += 1;
    planEntry(this.#state.agenda, { atMs, order: this.#state.agendaCount, what, id });
  }

  /** When the next thing happens, whether it is planned or waited for; null when nothing ever will by itself. */
  nextMs(): number | null {
    const moments = this.#sleepers.map((sleeper) => sleeper.atMs);
    const [first] = this.#state.agenda;
    if (first !== undefined) moments.push(first.atMs);
    return moments.length === 0 ? null : Math.min(...moments);
  }

  /** True while a request waits for a moment to come. */
  get isWaitedFor(): boolean {
    return this.#sleepers.length > 0;
  }

  /** Does all that is due by now. Called before anybody looks. */
  catchUp(): void {
    if (this.#running !== null) return;
    this.#runUntil(this.nowMs());
  }

  /** Does the first thing that is due up to a moment, and stands there; false when there is none. */
  runNext(untilMs: number): boolean {
    const [first] = this.#state.agenda;
    if (first === undefined || first.atMs > untilMs) return false;
    this.#moveTo(Math.max(first.atMs, this.nowMs()));
    const entry = takeFirst(this.#state.agenda);
    if (entry !== undefined) this.#runEntry(entry);
    return true;
  }

  /** Lets time pass. What is due on the way happens at its own moment, and whoever waits for one goes on then. */
  async advanceTo(untilMs: number): Promise<void> {
    for (;;) {
      const next = this.nextMs();
      if (next === null || next > untilMs) break;
      this.#runUntil(next);
      this.#moveTo(Math.max(next, this.nowMs()));
      if (this.#wake()) await letRequestsGoOn();
    }
    this.#moveTo(Math.max(untilMs, this.nowMs()));
  }

  /** Resolves when the clock has gone on by so much: a manual one when it is advanced, the machine's by a timer. */
  sleep(durationMs: number): Promise<void> {
    if (durationMs <= 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const atMs = this.nowMs() + durationMs;
      const forget = () => {
        this.#sleepers = this.#sleepers.filter((one) => one !== sleeper);
      };
      const goOn = () => {
        forget();
        resolve();
      };
      const timer = this.settings.clock === "system" ? setTimeout(goOn, durationMs) : undefined;
      const sleeper: Sleeper = {
        atMs,
        wake: () => {
          clearTimeout(timer);
          resolve();
        },
        stop: (reason) => {
          clearTimeout(timer);
          reject(reason);
        },
      };
      this.#sleepers.push(sleeper);
    });
  }

  #runUntil(untilMs: number): void {
    for (;;) {
      const [first] = this.#state.agenda;
      if (first === undefined || first.atMs > untilMs) return;
      const entry = takeFirst(this.#state.agenda);
      if (entry !== undefined) this.#runEntry(entry);
    }
  }

  #runEntry(entry: AgendaEntry): void {
    this.#running = entry.atMs;
    try {
      this.#run(this, entry);
    } finally {
      this.#running = null;
    }
  }

  #moveTo(ms: number): void {
    if (this.settings.clock === "manual") this.#state.clockMs = ms;
    else this.#state.clockMs += Math.max(0, ms - this.nowMs());
  }

  #wake(): boolean {
    const nowMs = this.nowMs();
    const woken = this.#sleepers.filter((sleeper) => sleeper.atMs <= nowMs);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.atMs > nowMs);
    for (const sleeper of woken) sleeper.wake();
    return woken.length > 0;
  }
}
