import { createRootRoute } from "@tanstack/react-router";
import { Shell } from "./Shell.tsx";

/** All pages lie in the shell: it knows who is signed in, and shows the way around. */
export const rootRoute = createRootRoute({ component: Shell });
