import type { Child, ChildPlan, ChildRole } from "./children.ts";
import { CHILD_ROLES, superviseChild } from "./children.ts";
import type { createConsole } from "./console.ts";

/** All processes of a development set-up. */
export class Crew {
  readonly #children: Child[] = [];
  readonly #say: ReturnType<typeof createConsole>;
  #onChange: (() => void) | null = null;

  constructor(say: ReturnType<typeof createConsole>) {
    this.#say = say;
  }

  take(plan: ChildPlan): void {
    this.#children.push(
      superviseChild(plan, {
        onLine: this.#say.line,
        onRestart: this.#say.restart,
        onPids: () => this.#onChange?.(),
      }),
    );
  }

  /** Resolves when every process says that it answers; rejects as soon as one fails to start. */
  async ready(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.ready));
  }

  /** Calls back whenever a process id changed. */
  onChange(callback: (() => void) | null): void {
    this.#onChange = callback;
  }

  pids(): Record<ChildRole, number | null> {
    const pidOf = (role: ChildRole) => this.#children.find((child) => child.role === role)?.pid ?? null;
    return Object.fromEntries(CHILD_ROLES.map((role) => [role, pidOf(role)])) as Record<ChildRole, number | null>;
  }

  /** The simulator goes last: what the others have in hand may still need it. */
  async stop(): Promise<void> {
    const [last, others] = [
      this.#children.filter(({ role }) => role === "simulator"),
      this.#children.filter(({ role }) => role !== "simulator"),
    ];
    await Promise.all(others.map((child) => child.stop()));
    await Promise.all(last.map((child) => child.stop()));
  }
}
