import type { Plugin } from "vitepress";

type Correction = readonly [found: string, replacement: string];

/**
 * Corrections of VitePress' components, by file. A button must not contain another button or link, and an accessible name
 * must contain the visible text.
 */
const CORRECTIONS: Readonly<Record<string, readonly Correction[]>> = {
  "VPSidebarItem.vue": [
    [
      'role="button"\n        aria-label="toggle section"',
      ":role=\"item.link && 'button'\"\n        :aria-label=\"item.link && 'toggle section'\"",
    ],
    ['tabindex="0"\n      >', ':tabindex="item.link && 0"\n      >'],
  ],
  "VPNavBarSearchButton.vue": [[" :aria-label=\"translate('button.buttonAriaLabel')\"", ""]],
  "VPLocalSearchBox.vue": [
    [
      'role="button"\n      :aria-owns="results?.length ? \'localsearch-list\' : undefined"\n      aria-expanded="true"\n      aria-haspopup="listbox"',
      'role="dialog"\n      aria-modal="true"',
    ],
    [
      ":id=\"'localsearch-item-' + index\"\n            :aria-selected=\"selectedIndex === index ? 'true' : 'false'\"\n            role=\"option\"",
      'role="presentation"',
    ],
    [
      ":aria-label=\"[...p.titles, p.title].join(' > ')\"",
      ":id=\"'localsearch-item-' + index\"\n              :aria-selected=\"selectedIndex === index ? 'true' : 'false'\"\n              role=\"option\"",
    ],
    ["<kbd :aria-label=", '<kbd role="img" :aria-label='],
    ['<span class="title-icon">', '<span class="title-icon" aria-hidden="true">'],
    [
      '<span class="vpi-chevron-right local-search-icon" />',
      '<span class="vpi-chevron-right local-search-icon" /><span class="visually-hidden"> &gt; </span>',
    ],
  ],
};

/** Fails if another version of VitePress has other components. */
export function correctTheme(): Plugin {
  return {
    name: "accessible-theme",
    enforce: "pre",
    transform(code, id) {
      const [path = "", query] = id.split("?");
      const corrections = CORRECTIONS[path.slice(path.lastIndexOf("/") + 1)];
      if (query !== undefined || corrections === undefined || !path.includes("/theme-default/")) return null;
      return corrections.reduce((corrected, [found, replacement]) => {
        if (!corrected.includes(found)) throw new Error(`${path} does not contain ${found}`);
        return corrected.replaceAll(found, () => replacement);
      }, code);
    },
  };
}
