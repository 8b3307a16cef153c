import { createRootRoute, createRoute, lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";
import { loadCode } from "../connection/connection.ts";
import { Shell } from "./Shell.tsx";

/** Renders every page in the shell. */
export const rootRoute = createRootRoute({ component: Shell });

/** A page's component, which is loaded when it is needed. */
export function lazyPage<Name extends string>(
  load: () => Promise<{ readonly [Each in Name]: RouteComponent }>,
  name: Name,
): RouteComponent {
  return lazyRouteComponent(() => loadCode(load), name);
}

/** The route of a page without search parameters, whose component `name` is loaded when it is needed. */
export function pageRoute<const Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<{ readonly [Each in Name]: RouteComponent }>,
  name: Name,
) {
  return createRoute({ getParentRoute: () => rootRoute, path, component: lazyPage(load, name) });
}
