import { randomFor } from "@social-connect/provider-fixtures";
import { Hono } from "hono";
import type { Account } from "../accounts/account.ts";
import type { App, AppEnv } from "../shared/http.ts";
import { PROVIDER_KEYS } from "../shared/providerKeys.ts";
import type { World } from "../state/createWorld.ts";
import { paletteOf, postPicture } from "./artwork.ts";

/** A profile picture with two of the account's colors and its first letter. */
export function avatarSvg(account: Account): string {
  const palette = paletteOf(account);
  const random = randomFor("avatar", account.provider, account.name);
  const angle = random.int(0, 360);
  const letter = /\p{L}/u.exec(account.displayName)?.[0]?.toUpperCase() ?? "•";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img" aria-hidden="true"><rect width="96" height="96" fill="${palette[3]}"/><g transform="rotate(${angle} 48 48)"><circle cx="72" cy="20" r="44" fill="${palette[1]}"/><circle cx="18" cy="84" r="30" fill="${palette[2]}"/></g><text x="48" y="63" text-anchor="middle" font-family="system-ui, sans-serif" font-size="44" font-weight="700" fill="#fff" stroke="${palette[4]}" stroke-width="1.5" paint-order="stroke">${letter}</text></svg>`;
}

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
