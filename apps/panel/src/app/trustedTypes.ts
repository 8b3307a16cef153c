interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML(text: string): string }): unknown;
}

/**
 * The page's policy lets no script write markup (`require-trusted-types-for`). The component library writes the text of its
 * style elements by the same door, so text without a tag is let through, and nothing else ever is.
 * Source: Trusted Types, 2.3.4 (default policy).
 */
const factory = (window as { readonly trustedTypes?: PolicyFactory }).trustedTypes;
factory?.createPolicy("default", {
  createHTML: (text) => {
    if (text.includes("<")) throw new TypeError("the panel writes no markup from text");
    return text;
  },
});
