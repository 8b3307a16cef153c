import type { IdentityDriver } from "@social-connect/conformance";
import type { Control } from "./control.ts";
import { openPage } from "./post.ts";

export function identityDriver(control: Control, baseUrl: string, fetch: typeof globalThis.fetch): IdentityDriver {
  return {
    issuer: `${baseUrl}/__mock/issuer`,
    signIn: async (authorizationUrl, choice) => {
      const { state, decide } = await openPage(fetch, authorizationUrl);
      const { person, decision = "allow" } = choice;
      return decide(new URLSearchParams({ state, person, decision }));
    },
    setFaults: (faults) => control("POST", "issuer/lies", { lies: faults }),
  };
}
