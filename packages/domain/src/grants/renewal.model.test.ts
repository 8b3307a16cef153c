import fc from "fast-check";
import { expect, test } from "vitest";
import { addMs, hasPassed } from "../time/time.ts";
import { decideRenewal, RENEWAL_LEASE_MS, type RenewalFacts } from "./renewal.ts";

/**
 * Several processes, one stored grant, and a provider that ends the grant if a refresh token is sent twice (RFC 9700 4.14).
 * The steps run in random order: decide, send, store, crash at any point, and time. A failure prints its seed and path.
 */

const TRAITS = { renewBeforeMs: 5 * 60_000, rotatesRefreshToken: true };
const ACCESS_MS = 3_600_000;
const PROCESSES = 3;

/** A process between the record of its renewal and the stored response. */
interface Exchange {
  readonly token: number;
  readonly version: number;
  response: number | null;
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
  /** At the provider: the valid refresh token, and whether the grant has ended. */
  validToken = 1;
  isEnded = false;
  isLost = false;
  renewals = 0;
  readonly exchanges: (Exchange | null)[] = Array.from({ length: PROCESSES }, () => null);

  /** A process is about to call the provider. The renewal is recorded by one conditional write, as in the database. */
  call(process: number): void {
    if (this.exchanges[process] !== null || this.isLost) return;
    const { grant, now } = this;
    switch (decideRenewal(grant, TRAITS, null, now)) {
      case "use":
        expect(grant.accessTokenExpiresAt === null || !hasPassed(grant.accessTokenExpiresAt, now)).toBe(true);
        return;
      case "renew":
        expect(this.running(), "another renewal is in progress").toBe(0);
        this.grant = { ...grant, renewalStartedAt: now };
        this.exchanges[process] = { token: this.storedToken, version: grant.version, response: null };
        return;
      case "wait":
        expect(grant.renewalStartedAt).not.toBeNull();
        return;
      case "lost":
        this.isLost = true;
    }
  }

  /** The provider responds: it accepts the valid token once, and a used one ends the grant. */
  send(process: number): void {
    const exchange = this.exchanges[process];
    if (exchange == null || exchange.response !== null) return;
    expect(exchange.token, "a used refresh token is sent again").toBe(this.validToken);
    if (exchange.token !== this.validToken) this.isEnded = true;
    this.validToken += 1;
    exchange.response = this.validToken;
  }

  /** The response is stored, unless another process has replaced the grant in the meantime. */
  store(process: number): void {
    const exchange = this.exchanges[process];
    if (exchange == null || exchange.response === null) return;
    this.exchanges[process] = null;
    if (exchange.version !== this.grant.version) return;
    this.storedToken = exchange.response;
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

  /** No exchange takes as long as the lease: a process whose lease has ended has crashed. */
  pass(ms: number): void {
    this.now = addMs(this.now, ms);
    const { renewalStartedAt } = this.grant;
    if (renewalStartedAt !== null && hasPassed(addMs(renewalStartedAt, RENEWAL_LEASE_MS), this.now)) {
      this.exchanges.fill(null);
    }
  }

  running(): number {
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

test("one renewal at a time, and no refresh token is sent twice after a crash", () => {
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
  // Without renewals the property would also hold.
  expect(renewals).toBeGreaterThan(100);
  expect(lost).toBeGreaterThan(0);
});
