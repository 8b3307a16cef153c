import type { IssuerFault } from "@social-connect/provider-fixtures";
import type { IssuerKey } from "../issuer/profiles.ts";
import { type App, jsonResponse } from "../shared/http.ts";
import type { World } from "../state/world.ts";
import { withInput } from "./handling.ts";
import { clockInput, issuerFaultsInput, limitsInput, resetInput } from "./inputs.ts";

/** The issuer's settings that the control API changes. */
export interface IssuerControl {
  readonly issuerUrls: Readonly<Record<IssuerKey, string>>;
  faults(): readonly IssuerFault[];
  setIssuerFaults(faults: readonly IssuerFault[]): void;
}

/** Routes for the clock, the request log, the limits, the issuer's faults and the reset. */
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
    return jsonResponse({ entries });
  });
  app.delete("/log", () => {
    world.log.clear();
    return jsonResponse({ cleared: true });
  });
  app.get("/limits", () => jsonResponse(world.limits.settings));
  app.post("/limits", (call) =>
    withInput(call, limitsInput, (input) => {
      Object.assign(world.limits.settings, input);
      return jsonResponse(world.limits.settings);
    }),
  );
  app.get("/issuer/faults", () => jsonResponse({ faults: issuer.faults() }));
  app.post("/issuer/faults", (call) =>
    withInput(call, issuerFaultsInput, ({ faults }) => {
      issuer.setIssuerFaults(faults);
      return jsonResponse({ faults: issuer.faults() });
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
      return jsonResponse({ reset: true });
    }),
  );
}

function showClock(world: World): Response {
  return jsonResponse({ now: world.clock.now().toISOString(), offsetMs: world.clock.offsetMs() });
}
