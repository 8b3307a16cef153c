import type { SocialProvider } from "@social-connect/contract";
import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../shell/rootRoute.ts";

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/registrations",
  component: lazyRouteComponent(() => import("./RegistrationsPage.tsx"), "RegistrationsPage"),
});

const newRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/registrations/new",
  validateSearch: ({ provider }: Readonly<Record<string, unknown>>): { readonly provider?: SocialProvider } => {
    const known = SOCIAL_PROVIDERS.find((name) => name === provider);
    return known === undefined ? {} : { provider: known };
  },
  component: lazyRouteComponent(() => import("./NewRegistrationPage.tsx"), "NewRegistrationPage"),
});

const registrationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/registrations/$registrationId",
  component: lazyRouteComponent(() => import("./RegistrationPage.tsx"), "RegistrationPage"),
});

export const registrationsRoutes = [listRoute, newRoute, registrationRoute] as const;
