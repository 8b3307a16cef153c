import { scopesByCapability } from "@social-connect/provider-fixtures";
import { authorizationRoutes } from "../../consent/authorize.ts";
import { tokenRoutes } from "../../oauth/tokenRoutes.ts";
import type { ProviderProfile } from "../../state/providerProfile.ts";
import { apiRoutes } from "./api.ts";
import { AUTHORIZATION } from "./authorize.ts";
import { revokeRoutes } from "./revoke.ts";
import { SCOPE_B_BASIC, SCOPE_B_PROFILE, SCOPE_B_VIDEOS, SCOPE_RULES } from "./scopes.ts";
import { coverUrlIsValid } from "./signedCover.ts";
import { TOKENS } from "./token.ts";
import { sendAuthorizationRemoved } from "./webhook.ts";

export const providerB: ProviderProfile = {
  defaultPort: 4407,
  paths: {
    authorization: "/v2/auth/authorize/",
    token: "/v2/oauth/token/",
    revocation: "/v2/oauth/revoke/",
    api: "/v2",
  },
  capabilityScopes: scopesByCapability([SCOPE_B_BASIC, SCOPE_B_PROFILE], [SCOPE_B_VIDEOS], [SCOPE_B_VIDEOS]),
  scopeRules: SCOPE_RULES,
  defaultPostForm: "video",
  routes: (app, world) => {
    app.route("/", authorizationRoutes(world, AUTHORIZATION));
    app.route("/", tokenRoutes(world, TOKENS));
    app.route("/", revokeRoutes(world));
    app.route("/", apiRoutes(world));
  },
  pictureLinkIsValid: coverUrlIsValid,
  reportRemoval: sendAuthorizationRemoved,
};
