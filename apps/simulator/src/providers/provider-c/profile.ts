import { scopesByCapability } from "@social-connect/provider-fixtures";
import { authorizationRoutes } from "../../consent/authorize.ts";
import { tokenRoutes } from "../../oauth/tokenRoutes.ts";
import type { ProviderProfile } from "../../state/providerProfile.ts";
import { apiRoutes } from "./api.ts";
import { AUTHORIZATION } from "./authorize.ts";
import { sendDeauthorization, sendDeletionRequest } from "./deauthorize.ts";
import { SCOPE_C_BASIC, SCOPE_C_INSIGHTS, SCOPE_RULES } from "./scopes.ts";
import { longLivedRoutes, TOKENS } from "./token.ts";

const GRAPH_VERSION = "/:version{v[0-9]+\\.[0-9]+}";

export const providerC: ProviderProfile = {
  defaultPort: 4408,
  paths: { authorization: "/oauth/authorize", token: "/oauth/access_token", api: "" },
  capabilityScopes: scopesByCapability([SCOPE_C_BASIC], [SCOPE_C_BASIC], [SCOPE_C_BASIC, SCOPE_C_INSIGHTS]),
  scopeRules: SCOPE_RULES,
  defaultPostForm: "image",
  routes: (app, world) => {
    app.route("/", authorizationRoutes(world, AUTHORIZATION));
    app.route("/", tokenRoutes(world, TOKENS));
    // Before the reads, which match any single segment as an id.
    app.route("/", longLivedRoutes(world));
    app.route(GRAPH_VERSION, longLivedRoutes(world));
    app.route("/", apiRoutes(world));
    app.route(GRAPH_VERSION, apiRoutes(world));
  },
  reportRemoval: sendDeauthorization,
  requestDeletion: sendDeletionRequest,
};
