import type { Selector } from "lightningcss";
import { transform } from "lightningcss";
import type { Plugin } from "vite";

/** How the component library names its classes: each component's own, and the component names them in its script. */
const LIBRARY_CLASS = /\bm_[0-9a-f]+\b/g;

/**
 * Takes out of the library's styles those of components that no script of the build has: the library ships them in one
 * file, and nine in ten of its rules would be sent for nothing. (A list of the components' own files would do the same, and
 * be forgotten with the next component.)
 */
export function pruneStyles(): Plugin {
  return {
    name: "prune-styles",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const used = new Set<string>();
      for (const file of Object.values(bundle)) {
        if (file.type === "chunk") for (const [name] of file.code.matchAll(LIBRARY_CLASS)) used.add(name);
      }
      for (const file of Object.values(bundle)) {
        if (file.type === "asset" && file.fileName.endsWith(".css")) {
          file.source = pruneUnused(file.source.toString(), used);
        }
      }
    },
  };
}

/** The styles without the rules that only match classes of the library that are not in `used`. */
export function pruneUnused(styles: string, used: ReadonlySet<string>): string {
  const { code } = transform({
    filename: "panel.css",
    code: Buffer.from(styles),
    minify: true,
    visitor: {
      Rule: {
        style(rule) {
          const selectors = rule.value.selectors.filter((selector) => canMatch(selector, used));
          if (selectors.length === rule.value.selectors.length) return undefined;
          return selectors.length === 0 ? [] : { ...rule, value: { ...rule.value, selectors } };
        },
      },
    },
  });
  return code.toString();
}

function canMatch(selector: Selector, used: ReadonlySet<string>): boolean {
  return selector.every((part) => {
    if (part.type === "class") return used.has(part.name) || !part.name.match(LIBRARY_CLASS);
    if (part.type === "pseudo-class" && (part.kind === "where" || part.kind === "is")) {
      return part.selectors.some((inner) => canMatch(inner, used));
    }
    return true;
  });
}
