import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { servesApplication } from "./findRegistration.ts";

/**
 * Whether a Connect attempt may be started at each provider: the policy allows it, and a published registration serves the
 * application with a capability that the policy allows. Source: service description, part 2, IntegrationReadiness.
 */
export function readReadiness(world: World, { application }: Caller) {
  const serving = [...world.state.registrations.values()].filter(
    (one) => one.status === "PUBLISHED" && servesApplication(one, application.id),
  );
  return {
    providers: SOCIAL_PROVIDERS.map((provider) => ({
      provider,
      available:
        application.providers.includes(provider) &&
        serving.some(
          (one) =>
            one.provider === provider && one.capabilities.some((name) => application.capabilities.includes(name)),
        ),
    })),
    idpIdentityAvailable: application.idpIdentityEnabled,
  };
}
