import { type Random, randomHex, randomOf, randomUuid } from "@social-connect/provider-fixtures";
import { PostRepository } from "../providers/posts.ts";
import type { Settings } from "../state/settings.ts";
import type { MockState, ScheduledTask } from "../state/state.ts";
import { sha256Hex } from "../util/hash.ts";
import { machineNowMs } from "../util/machineClock.ts";
import { Repetitions } from "../util/repetitions.ts";
import { addTask } from "./schedule.ts";

export type TaskRunner = (world: World, entry: ScheduledTask) => void;

interface Sleeper {
  readonly atMs: number;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/** Rejects a delayed request when the mock is reset or restored; the request's connection is closed. */
export class StateReplacedError extends Error {
  constructor() {
    super("The mock was reset or restored while this request was being answered.");
    this.name = "StateReplacedError";
  }
}

const MICROTASKS = 30;

/** A receiver of events in this process. */
export type EventHandler = (request: Request) => Response | Promise<Response>;

/** Lets pending requests of this process run, before or after the clock moves. */
export async function yieldToRequests(): Promise<void> {
  for (let count = 0; count < MICROTASKS; count += 1) await Promise.resolve();
}

/** The mock's state with its clock, scheduler and random numbers. Every use case receives it. */
export class World {
  readonly settings: Settings;
  readonly repetitions = new Repetitions();
  /** Handlers of this process, by the id of the endpoint. They are not part of the state. */
  readonly eventHandlers = new Map<string, EventHandler>();
  readonly #run: TaskRunner;
  #state: MockState;
  #random: Random;
  #posts: PostRepository;
  #sealKey: string;
  /** The time of the task that is running. */
  #running: number | null = null;
  /** The system time at which a running clock was last set. */
  #clockSetAtMs: number;
  #sleepers: Sleeper[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Deliveries that the last move of the clock has begun. */
  #begun: Promise<void>[] = [];

  constructor(settings: Settings, state: MockState, run: TaskRunner) {
    this.settings = settings;
    this.#run = run;
    this.#state = state;
    this.#random = randomOf(state.random);
    this.#posts = new PostRepository(state.seed, state.startedAt);
    this.#sealKey = sha256Hex(`seal ${state.seed}`);
    this.#clockSetAtMs = machineNowMs();
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

  /** The key of cursors, derived from the seed. */
  get sealKey(): string {
    return this.#sealKey;
  }

  replace(state: MockState): void {
    const { seed, startedAt } = this.#state;
    this.#state = state;
    this.#random = randomOf(state.random);
    this.repetitions.clear();
    if (state.seed === seed && state.startedAt.getTime() === startedAt.getTime()) this.#posts.invalidate();
    else this.#posts = new PostRepository(state.seed, state.startedAt);
    this.#sealKey = sha256Hex(`seal ${state.seed}`);
    this.#clockSetAtMs = machineNowMs();
    for (const sleeper of this.#sleepers.splice(0)) sleeper.reject(new StateReplacedError());
    this.#begun = [];
    this.runOnTime();
  }

  now(): Date {
    return new Date(this.nowMs());
  }

  nowMs(): number {
    if (this.#running !== null) return this.#running;
    const { clockMs } = this.#state;
    switch (this.settings.clock) {
      case "manual":
        return clockMs;
      case "running":
        return clockMs + Math.max(0, machineNowMs() - this.#clockSetAtMs);
      case "system":
        return machineNowMs() + clockMs;
    }
  }

  /** Writes the time of a running clock into the state, so that a snapshot continues at this time. */
  recordTime(): void {
    if (this.settings.clock === "running") this.#setRunningClock(this.nowMs());
  }

  /** The jitter of retries and background reads, in [0, 1). */
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

  schedule(atMs: number, what: ScheduledTask["what"], id: string): void {
    addTask(this.#state.schedule, { atMs, what, id });
    this.runOnTime();
  }

  /** A clock that moves by itself sends events on time, and not only at the next request. */
  runOnTime(): void {
    const [first] = this.#state.schedule;
    if (this.settings.clock === "manual" || this.#state.eventEndpoints.size === 0 || first === undefined) return;
    clearTimeout(this.#timer);
    const run = () => {
      this.catchUp();
      this.runOnTime();
    };
    const timer = setTimeout(run, Math.max(0, first.atMs - this.nowMs()));
    // It must not keep a process running. Browsers have numbers.
    if (typeof timer === "object") timer.unref();
    this.#timer = timer;
  }

  /** The time of the next task or delayed request; null without any. */
  nextMs(): number | null {
    const times = [...this.#sleepers, ...this.#state.schedule.slice(0, 1)].map(({ atMs }) => atMs);
    return times.length === 0 ? null : Math.min(...times);
  }

  get isWaitedFor(): boolean {
    return this.#sleepers.length > 0;
  }

  /** Work outside of the mock that a task has begun. Its promise does not reject. */
  begin(work: Promise<void>): void {
    this.#begun.push(work);
  }

  /** Waits for what a move of the clock has begun. A handler that moves the clock itself is not waited for by its own move. */
  async finishBegun(): Promise<void> {
    if (this.#begun.length > 0) await Promise.all(this.#begun.splice(0));
  }

  /** Runs every due task. Called before each read. */
  catchUp(): void {
    if (this.#running !== null) return;
    this.#runUntil(this.nowMs());
    this.#begun = [];
  }

  /** Moves the clock to the next task up to a time and runs it; false without a task. */
  runNext(untilMs: number): boolean {
    const [first] = this.#state.schedule;
    if (first === undefined || first.atMs > untilMs) return false;
    this.#moveTo(Math.max(first.atMs, this.nowMs()));
    this.#state.schedule.shift();
    this.#runEntry(first);
    return true;
  }

  /** Moves the clock immediately, before there are requests: tasks run at their own times. */
  skipTo(untilMs: number): void {
    while (this.runNext(untilMs));
    this.#moveTo(Math.max(untilMs, this.nowMs()));
  }

  /**
   * Moves the clock; tasks run and delayed requests continue at their own times. `holds`: deliveries hold the clock, which a
   * request must not wait for, because its sender may be the receiver.
   */
  async advanceTo(untilMs: number, holds = true): Promise<void> {
    for (;;) {
      const next = this.nextMs();
      if (next === null || next > untilMs) break;
      this.#runUntil(next);
      this.#moveTo(Math.max(next, this.nowMs()));
      if (holds) await this.finishBegun();
      if (this.#wake()) await yieldToRequests();
    }
    this.#moveTo(Math.max(untilMs, this.nowMs()));
  }

  /**
   * Resolves after a time of the mock's clock. A manual clock has to be advanced, unless requests advance it: then this one
   * does, because a browser that waits for it sends no other. The other clocks use a timer.
   */
  sleep(durationMs: number): Promise<void> {
    if (durationMs <= 0) return Promise.resolve();
    if (this.settings.advancePerRequestMs > 0) return this.advanceTo(this.nowMs() + durationMs, false);
    return new Promise((resolve, reject) => {
      const atMs = this.nowMs() + durationMs;
      const remove = () => {
        this.#sleepers = this.#sleepers.filter((one) => one !== sleeper);
      };
      const finish = () => {
        remove();
        resolve();
      };
      const timer = this.settings.clock === "manual" ? undefined : setTimeout(finish, durationMs);
      const sleeper: Sleeper = {
        atMs,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
        reject: (reason) => {
          clearTimeout(timer);
          reject(reason);
        },
      };
      this.#sleepers.push(sleeper);
    });
  }

  #runUntil(untilMs: number): void {
    for (;;) {
      const [first] = this.#state.schedule;
      if (first === undefined || first.atMs > untilMs) return;
      this.#state.schedule.shift();
      this.#runEntry(first);
    }
  }

  #runEntry(entry: ScheduledTask): void {
    this.#running = entry.atMs;
    try {
      this.#run(this, entry);
    } finally {
      this.#running = null;
    }
  }

  #moveTo(ms: number): void {
    const { clock } = this.settings;
    if (clock === "manual") this.#state.clockMs = ms;
    else if (clock === "system") this.#state.clockMs += Math.max(0, ms - this.nowMs());
    else this.#setRunningClock(Math.max(ms, this.nowMs()));
  }

  #setRunningClock(ms: number): void {
    this.#state.clockMs = ms;
    this.#clockSetAtMs = machineNowMs();
  }

  #wake(): boolean {
    const nowMs = this.nowMs();
    const woken = this.#sleepers.filter((sleeper) => sleeper.atMs <= nowMs);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.atMs > nowMs);
    for (const sleeper of woken) sleeper.resolve();
    return woken.length > 0;
  }
}
