import { requestJson } from "./panelOverHttp.ts";
import type { IdentityDriver } from "./target.ts";

const MAX_STEPS = 10;

/** The simulator's OpenID provider, by its sign-in form; its faults are set at the control endpoint. */
export function openIssuer(issuerUrl: string, simulatorUrl: string): IdentityDriver {
  return {
    issuer: issuerUrl,
    setFaults: (faults) => requestJson(`${simulatorUrl}/__sim/issuer/faults`, "POST", { faults }),
    signIn: async (authorizationUrl, choice) => {
      const cookies = new Map<string, string>();
      let next = new URL(authorizationUrl);
      let form: URLSearchParams | null = null;
      for (let step = 0; step < MAX_STEPS; step += 1) {
        const answer: Response = await fetch(next, {
          method: form === null ? "GET" : "POST",
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
          redirect: "manual",
          signal: AbortSignal.timeout(30_000),
          ...(form !== null && { body: form }),
        });
        form = null;
        for (const line of answer.headers.getSetCookie()) {
          const [pair = ""] = line.split(";", 1);
          cookies.set(pair.slice(0, pair.indexOf("=")).trim(), pair.slice(pair.indexOf("=") + 1).trim());
        }
        const location = answer.headers.get("location");
        if (location !== null) {
          next = new URL(location, next);
          if (next.origin !== new URL(issuerUrl).origin) return next;
        } else if (answer.ok) {
          form = new URLSearchParams({ person: choice.person, decision: choice.decision ?? "allow" });
        } else {
          throw new Error(`The sign-in ended with status ${answer.status}.`);
        }
      }
      throw new Error("The sign-in did not finish.");
    },
  };
}
