import type { Selector } from "lightningcss";
import { transform } from "lightningcss";
import type { Plugin } from "vite";

/** The component library's class names, which occur in the scripts of the components that use them. */
const LIBRARY_CLASS = /\bm_[0-9a-f]+\b/g;

/**
 * Removes the styles of unused components. The library ships all styles in one file, of which 90 % of the rules are unused;
 * importing single files would need a list that grows with each new component.
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

/** Removes the rules that only match library classes that are not in `used`. */
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
