import { createRouter } from "@tanstack/react-router";
import { routeTree } from "../pages/routeTree.ts";
import { PageFailed } from "../shell/PageFailed.tsx";
import { PageNotFound } from "../shell/PageNotFound.tsx";
import { PagePending } from "../shell/PagePending.tsx";

export const router = createRouter({
  routeTree,
  basepath: "/panel",
  defaultPreload: "intent",
  defaultErrorComponent: PageFailed,
  defaultNotFoundComponent: PageNotFound,
  defaultPendingComponent: PagePending,
  scrollRestoration: true,
  // Removes parameters that a page does not accept from its URL.
  search: { strict: true },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
