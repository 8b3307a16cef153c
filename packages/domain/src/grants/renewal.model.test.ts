import fc from "fast-check";
import { expect, test } from "vitest";
import { addMs, hasPassed } from "../time/time.ts";
import type { RenewalFacts } from "./renewal.ts";
import { decideRenewal, RENEWAL_LEASE_MS } from "./renewal.ts";

/**
 * Several processes, one stored grant, and a provider that ends the grant when a used refresh token comes again (RFC 9700
 * 4.14), in random order: decide, send, store, crash at any point, take over, and time. A failure prints its seed and path.
 */

const TRAITS = { renewBeforeMs: 5 * 60_000, rotatesRefreshToken: true };
const ACCESS_MS = 3_600_000;
const PROCESSES = 3;

/** A process between its announcement and the stored answer. */
interface Exchange {
  readonly token: number;
  readonly version: number;
  answer: number | null;
}

class World {
  now = new Date("2026-06-15T12:00:00.000Z");
  grant: RenewalFacts = {
    version: 1,
    accessTokenExpiresAt: addMs(this.now, ACCESS_MS),
    refreshTokenExpiresAt: null,
    renewalStartedAt: null,
  };
  storedToken = 1;
  /** At the provider: the one refresh token that is good, and whether the grant lives. */
  goodToken = 1;
  isEnded = false;
  isLost = false;
  renewals = 0;
  readonly exchanges: (Exchange | null)[] = Array.from({ length: PROCESSES }, () => null);

  /** A process wants to call the provider. The announcement is one conditional write, as in the database. */
  call(process: number): void {
    if (this.exchanges[process] !== null || this.isLost) return;
    const { grant, now } = this;
    switch (decideRenewal(grant, TRAITS, null, now)) {
      case "use":
        expect(grant.accessTokenExpiresAt === null || !hasPassed(grant.accessTokenExpiresAt, now)).toBe(true);
        return;
      case "renew":
        expect(this.living(), "another renewal is under way").toBe(0);
        this.grant = { ...grant, renewalStartedAt: now };
        this.exchanges[process] = { token: this.storedToken, version: grant.version, answer: null };
        return;
      case "wait":
        expect(grant.renewalStartedAt).not.toBeNull();
        return;
      case "lost":
        this.isLost = true;
    }
  }

  /** The provider answers: it takes the good token once, and a used one ends the grant. */
  send(process: number): void {
    const exchange = this.exchanges[process];
    if (exchange == null || exchange.answer !== null) return;
    expect(exchange.token, "a used refresh token is sent again").toBe(this.goodToken);
    if (exchange.token !== this.goodToken) this.isEnded = true;
    this.goodToken += 1;
    exchange.answer = this.goodToken;
  }

  /** The answer is stored, unless another process has taken the row over meanwhile. */
  store(process: number): void {
    const exchange = this.exchanges[process];
    if (exchange == null || exchange.answer === null) return;
    this.exchanges[process] = null;
    if (exchange.version !== this.grant.version) return;
    this.storedToken = exchange.answer;
    this.renewals += 1;
    this.grant = {
      version: exchange.version + 1,
      accessTokenExpiresAt: addMs(this.now, ACCESS_MS),
      refreshTokenExpiresAt: null,
      renewalStartedAt: null,
    };
  }

  crash(process: number): void {
    this.exchanges[process] = null;
  }

  /** No exchange takes as long as the lease: a process that is still at it by then counts as dead, and is. */
  pass(ms: number): void {
    this.now = addMs(this.now, ms);
    const { renewalStartedAt } = this.grant;
    if (renewalStartedAt !== null && hasPassed(addMs(renewalStartedAt, RENEWAL_LEASE_MS), this.now)) {
      this.exchanges.fill(null);
    }
  }

  living(): number {
    return this.exchanges.filter((one) => one !== null).length;
  }
}

type Step = fc.Command<Record<string, never>, World>;

const step = (name: string, run: (world: World) => void): Step => ({
  check: () => true,
  run: (_, world) => {
    run(world);
    expect(world.isEnded).toBe(false);
  },
  toString: () => name,
});
const process = fc.nat(PROCESSES - 1);
const STEPS = [
  process.map((one) => step(`call ${one}`, (world) => world.call(one))),
  process.map((one) => step(`send ${one}`, (world) => world.send(one))),
  process.map((one) => step(`store ${one}`, (world) => world.store(one))),
  process.map((one) =>
    step(`exchange ${one}`, (world) => {
      world.call(one);
      world.send(one);
      world.store(one);
    }),
  ),
  process.map((one) => step(`crash ${one}`, (world) => world.crash(one))),
  fc
    .constantFrom(1_000, 59_000, 61_000, ACCESS_MS - TRAITS.renewBeforeMs, ACCESS_MS)
    .map((ms) => step(`${ms} ms pass`, (world) => world.pass(ms))),
];

test("one renewal at a time, and no refresh token twice, whoever dies in between", () => {
  let renewals = 0;
  let lost = 0;
  fc.assert(
    fc.property(fc.commands(STEPS, { maxCommands: 60, size: "max" }), (commands) => {
      const world = new World();
      fc.modelRun(() => ({ model: {}, real: world }), commands);
      renewals += world.renewals;
      lost += world.isLost ? 1 : 0;
    }),
    { numRuns: 2_000 },
  );
  // The property would hold of nothing, too.
  expect(renewals).toBeGreaterThan(100);
  expect(lost).toBeGreaterThan(0);
});
