import type { IssuerFault } from "../issuer/issuerFaults.ts";
import type { App } from "../shared/http.ts";
import { jsonAnswer } from "../shared/http.ts";
import type { World } from "../state/world.ts";
import { withInput } from "./handling.ts";
import { clockInput, issuerFaultsInput, limitsInput, resetInput } from "./inputs.ts";

/** The issuer, as far as the control address sets it. */
export interface IssuerControl {
  faults(): readonly IssuerFault[];
  setIssuerFaults(faults: readonly IssuerFault[]): void;
}

/** Clock, request log, limits, the issuer's faults, and everything back to the start. */
export function stateRoutes(app: App, world: World, issuer: IssuerControl): void {
  app.get("/clock", () => showClock(world));
  app.post("/clock", (call) =>
    withInput(call, clockInput, (input) => {
      if ("advance" in input) world.clock.advance(input.advance);
      else if ("advanceMs" in input) world.clock.advance(input.advanceMs);
      else if ("set" in input) world.clock.set(input.set);
      else world.clock.setOffset(input.offsetMs);
      world.save();
      return showClock(world);
    }),
  );
  app.get("/log", (call) => {
    const { account, endpoint, provider } = call.req.query();
    const entries = world.log
      .entries()
      .filter((entry) => account === undefined || entry.account === account)
      .filter((entry) => endpoint === undefined || entry.endpoint === endpoint)
      .filter((entry) => provider === undefined || entry.provider === provider);
    return jsonAnswer({ entries });
  });
  app.delete("/log", () => {
    world.log.clear();
    return jsonAnswer({ cleared: true });
  });
  app.get("/limits", () => jsonAnswer(world.limits.settings));
  app.post("/limits", (call) =>
    withInput(call, limitsInput, (input) => {
      Object.assign(world.limits.settings, input);
      return jsonAnswer(world.limits.settings);
    }),
  );
  app.get("/issuer/faults", () => jsonAnswer({ faults: issuer.faults() }));
  app.post("/issuer/faults", (call) =>
    withInput(call, issuerFaultsInput, ({ faults }) => {
      issuer.setIssuerFaults(faults);
      return jsonAnswer({ faults: issuer.faults() });
    }),
  );
  app.post("/reset", (call) =>
    withInput(call, resetInput, ({ keepGrants }) => {
      world.posts.reset();
      if (!keepGrants) world.catalogue.reset();
      if (keepGrants) for (const grant of world.grants.select(() => true)) grant.counters = {};
      else world.grants.restore({ grants: [], tokens: [] });
      world.codes.clear();
      world.consentRequests.clear();
      world.faults.clear();
      world.log.clear();
      world.limits.reset();
      world.clock.setOffset(0);
      issuer.setIssuerFaults([]);
      world.save();
      return jsonAnswer({ reset: true });
    }),
  );
}

function showClock(world: World): Response {
  return jsonAnswer({ now: world.clock.now().toISOString(), offsetMs: world.clock.offsetMs() });
}
