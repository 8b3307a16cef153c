import { scopesByCapability } from "@social-connect/provider-fixtures";
import { authorizationRoutes } from "../../consent/authorize.ts";
import { tokenRoutes } from "../../oauth/tokenRoutes.ts";
import type { ProviderProfile } from "../../state/providerProfile.ts";
import { apiRoutes } from "./api.ts";
import { AUTHORIZATION } from "./authorize.ts";
import { revokeRoutes } from "./revoke.ts";
import { SCOPE_A_READ, SCOPE_RULES } from "./scopes.ts";
import { TOKENS } from "./token.ts";

export const providerA: ProviderProfile = {
  defaultPort: 4406,
  paths: { authorization: "/o/oauth2/v2/auth", token: "/token", revocation: "/revoke", api: "/youtube/v3" },
  capabilityScopes: scopesByCapability([SCOPE_A_READ], [SCOPE_A_READ], [SCOPE_A_READ]),
  scopeRules: SCOPE_RULES,
  defaultPostForm: "video",
  routes: (app, world) => {
    app.route("/", authorizationRoutes(world, AUTHORIZATION));
    app.route("/", tokenRoutes(world, TOKENS));
    app.route("/", revokeRoutes(world));
    app.route("/", apiRoutes(world));
  },
};
