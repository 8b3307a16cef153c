import { afterAll, beforeAll, expect, test } from "vitest";
import { whileLocked } from "../../modules/testing/outcomes.ts";
import { type RealTimeService, startRealTimeService } from "../../worker/testing/realTimeService.ts";
import { type ApiProcess, READINESS, REQUEST_REFRESH, startApi } from "../testing/apiProcess.ts";

let real: RealTimeService;
let api: ApiProcess;
const processes = new AsyncDisposableStack();

/** An API process whose few connections are all busy with blocked statements. Hooks and tests of a suite. */
export function poolUsedUp(): void {
  beforeAll(async () => {
    real = await startRealTimeService();
    api = await startApi(processes, real, { DATABASE_POOL_SIZE: "2" });
  });
  afterAll(async () => {
    await processes.disposeAsync();
    await real?.service.close();
  });

  test("with the pool exhausted by blocked statements, every call ends with an error, and nothing stays open", async () => {
    const { service, application } = real;
    const { id } = await real.connect();
    const refresh = () => api.call(REQUEST_REFRESH, { scope: application.scope, connectionId: id });

    await whileLocked(service, "SELECT 1 FROM connection WHERE id = $1 FOR UPDATE", [id], async () => {
      // The lock is released only after all calls have ended: only their own timeouts can end them.
      const answers = await Promise.all(Array.from({ length: 10 }, refresh));
      // Calls in progress end at a timeout of the database, and the others when they have waited too long.
      expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(["UPSTREAM_UNAVAILABLE", "RATE_LIMITED"]));
      for (const { data, errors } of answers) {
        expect(data).toBeNull();
        expect(errors[0]?.extensions.correlationId).toMatch(/^[0-9a-f-]{36}$/);
      }
      expect(api.program.hasEnded()).toBe(false);
      const { rows } = await service.pool.query(
        `SELECT state, query FROM pg_stat_activity WHERE datname = current_database()
            AND application_name = 'social-connect api' AND state <> 'idle'`,
      );
      expect(rows).toEqual([]);
    });
    expect((await refresh()).code).toBeUndefined();
    expect((await api.call(READINESS)).code).toBeUndefined();
  });
}
