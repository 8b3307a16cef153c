import type { Model } from "./model.ts";
import type { StepAction } from "./steps.ts";

export function identity(model: Model): StepAction {
  const { random } = model;
  const open = model.identities.filter((one) => one.stage !== "back");
  const app = random.pick(model.apps);
  const tenant = random.weighted({ one: 20, two: 2, unregistered: 1 });
  const known = model.identities.at(-random.int(1, 3));
  if (known !== undefined && random.chance(0.3)) {
    const proof = random.chance(0.85) ? "right" : "wrong";
    return {
      do: "redeem",
      identity: random.chance(0.97) ? known.n : "unknown",
      app: random.chance(0.95) ? known.app : app,
      tenant,
      proof,
    };
  }
  const one = open.length > 0 && random.chance(0.8) ? random.pick(open.slice(-2)) : null;
  if (one === null)
    return { do: "createIdentity", app, tenant, returnUrl: random.chance(0.95) ? "registered" : "unregistered" };
  const browser = random.chance(0.93) ? one.browser : "three";
  switch (one.stage) {
    case "created":
      return { do: "launchIdentity", identity: one.n, browser, origin: random.chance(0.94) ? "right" : "wrong" };
    case "launched":
      return {
        do: "signIn",
        identity: one.n,
        person: random.pick(["ada", "ada", "ben", "no-email", "unicode", "deny"]),
        decision: random.chance(0.9) ? "allow" : "deny",
      };
    default:
      return {
        do: "identityCallback",
        identity: one.n,
        browser,
        change: random.weighted({ none: 20, state: 1, error: 1 }),
      };
  }
}
