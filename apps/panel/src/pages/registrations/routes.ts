import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { createRoute } from "@tanstack/react-router";
import { lazyPage, pageRoute, rootRoute } from "../../shell/rootRoute.ts";

const newRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/registrations/new",
  validateSearch: ({ provider }: Readonly<Record<string, unknown>>): { readonly provider?: SocialProvider } => {
    const known = SOCIAL_PROVIDERS.find((name) => name === provider);
    return known === undefined ? {} : { provider: known };
  },
  component: lazyPage(() => import("./NewRegistrationPage.tsx"), "NewRegistrationPage"),
});

export const registrationsRoutes = [
  pageRoute("/registrations", () => import("./RegistrationsPage.tsx"), "RegistrationsPage"),
  newRoute,
  pageRoute("/registrations/$registrationId", () => import("./RegistrationPage.tsx"), "RegistrationPage"),
] as const;
