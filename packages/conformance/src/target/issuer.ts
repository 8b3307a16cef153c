import { Browser } from "../wire/browser.ts";
import { NO_NOTES } from "../wire/call.ts";
import { requestJson } from "./panelOverHttp.ts";
import type { IdentityDriver } from "./target.ts";

const MAX_STEPS = 10;

/** The simulator's OpenID provider, by its sign-in form; its faults are set at the control endpoint. */
export function openIssuer(issuerUrl: string, simulatorUrl: string): IdentityDriver {
  return {
    issuer: issuerUrl,
    setFaults: (faults) => requestJson(`${simulatorUrl}/__sim/issuer/faults`, "POST", { faults }),
    signIn: async (authorizationUrl, { person, decision = "allow" }) => {
      const browser = new Browser(NO_NOTES);
      let address = new URL(authorizationUrl);
      let visit = await browser.get(address);
      for (let step = 0; step < MAX_STEPS; step += 1) {
        if (visit.location !== null) {
          address = visit.location;
          if (address.origin !== new URL(issuerUrl).origin) return address;
          visit = await browser.get(address);
        } else {
          if (visit.status !== 200) throw new Error(`The sign-in ended with status ${visit.status}.`);
          visit = await browser.post(address.href, { person, decision }, null);
        }
      }
      throw new Error("The sign-in did not finish.");
    },
  };
}
