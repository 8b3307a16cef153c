import { createRootRoute } from "@tanstack/react-router";
import { Shell } from "./Shell.tsx";

/** Renders every page in the shell. */
export const rootRoute = createRootRoute({ component: Shell });
