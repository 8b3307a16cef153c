import { Hono } from "hono";
import type { App, AppEnv } from "../shared/http.ts";
import { PROVIDER_KEYS } from "../shared/providerKeys.ts";
import type { World } from "../state/world.ts";
import { postPicture } from "./artwork.ts";
import { avatarSvg } from "./avatar.ts";

const HEADERS = {
  "content-type": "image/svg+xml; charset=utf-8",
  "cache-control": "public, max-age=3600",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
};

/** The pictures in the providers' responses. They need no authentication, like the real ones. */
export function mediaRoutes(world: World): App {
  const app: App = new Hono<AppEnv>();
  app.get("/avatars/:provider/:file", (call) => {
    const provider = PROVIDER_KEYS.find((key) => key === call.req.param("provider"));
    const account = provider && world.catalogue.byName(provider, call.req.param("file").replace(/\.svg$/, ""));
    return account === undefined ? call.notFound() : new Response(avatarSvg(account), { headers: HEADERS });
  });
  app.get("/:provider/:account/:file", (call) => {
    const provider = PROVIDER_KEYS.find((key) => key === call.req.param("provider"));
    const account = provider && world.catalogue.byName(provider, call.req.param("account"));
    const postId = call.req.param("file").replace(/\.(svg|image)$/, "");
    const post = account && world.posts.byId(account, postId);
    if (account === undefined || post === undefined) return call.notFound();
    const query = new URL(call.req.url).searchParams;
    if (world.providers[account.provider].pictureLinkIsValid?.(post.id, query, world.clock.now()) === false)
      return new Response("Gone\n", { status: 403 });
    const child = query.get("child");
    return new Response(postPicture(account, post, child === null ? null : Number(child)), { headers: HEADERS });
  });
  return app;
}
