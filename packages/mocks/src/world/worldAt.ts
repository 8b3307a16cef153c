import type { World } from "./world.ts";

/** The world with the addresses under which one request reached the server: the browser that follows can reach them too. */
export function worldAt(world: World, baseUrl: string): World {
  const settings = { ...world.settings, baseUrl, connectHost: baseUrl, adminHost: baseUrl };
  return new Proxy(world, {
    get: (target, name) => {
      if (name === "settings") return settings;
      // Private fields are only in the world itself.
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
