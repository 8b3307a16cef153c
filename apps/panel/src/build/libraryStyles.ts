import type { Plugin } from "vite";

/** The module of a library component's class names, e.g. `components/Button/Button.module.mjs`. */
const CLASS_NAMES = /\/@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;

/**
 * Imports the styles of each library component that is used, so that a chunk loads with its styles and without those of
 * others. All styles of the library would be ten times as large. The library's styles are in a cascade layer, which the
 * panel's own styles override in any order.
 */
export function libraryStyles(): Plugin {
  return {
    name: "library-styles",
    enforce: "pre",
    transform(code, id) {
      const [, component] = CLASS_NAMES.exec(id) ?? [];
      if (component === undefined) return null;
      return { code: `import "@mantine/core/styles/${component}.layer.css";\n${code}`, moduleSideEffects: false };
    },
  };
}
