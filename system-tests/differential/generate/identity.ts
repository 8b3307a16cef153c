import fc from "fast-check";
import { rarely, weighted } from "../../times.ts";
import { newest } from "../perform/actor.ts";
import { appOf, type Plan, pick, rare } from "./arbitraries.ts";

const DRAWN = fc.record({
  ...{
    app: pick,
    otherApp: rare(5),
    tenant: weighted({ one: 20, two: 2, unregistered: 1 }),
    picked: fc.nat({ max: 2 }),
  },
  ...{ redeems: rare(30), begins: rare(20), isUnknown: rare(3), otherBrowser: rarely(7, fc.constant("three")) },
  proof: weighted({ right: 85, wrong: 15 }),
  returnUrl: weighted({ registered: 95, unregistered: 5 }),
  browser: fc.constantFrom("one", "two"),
  origin: weighted({ right: 94, wrong: 6 }),
  person: fc.constantFrom("ada", "ada", "ben", "no-email", "unicode", "deny"),
  decision: weighted({ allow: 9, deny: 1 }),
  change: weighted({ none: 20, state: 1, error: 1 }),
});

export const identity: fc.Arbitrary<Plan> = DRAWN.map(({ picked, otherBrowser, ...drawn }) => (leader) => {
  const { change, decision, origin, person, proof, returnUrl, tenant } = drawn;
  const all = [...leader.identities.values()];
  const app = appOf(leader, drawn.app);
  const known = newest(all.slice(-3), picked);
  if (known !== undefined && drawn.redeems) {
    const of = drawn.otherApp ? app : known.app;
    return { do: "redeem", identity: drawn.isUnknown ? "unknown" : known.n, app: of, tenant, proof };
  }
  const open = newest(all.filter(({ stage }) => stage !== "back").slice(-2), picked);
  if (open === undefined || drawn.begins)
    return { do: "createIdentity", app, tenant, returnUrl, browser: drawn.browser };
  const { n: identity, stage } = open;
  const browser = otherBrowser ?? open.browser;
  if (stage === "created") return { do: "launchIdentity", identity, browser, origin };
  if (stage === "launched") return { do: "signIn", identity, person, decision };
  return { do: "identityCallback", identity, browser, change };
});
