interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML(text: string): string }): unknown;
}

/**
 * The Content Security Policy blocks HTML from scripts (`require-trusted-types-for`). The component library sets the text of
 * style elements through the same API, so this policy allows text without tags.
 * Source: Trusted Types, 2.3.4 (default policy).
 */
const factory = (window as { readonly trustedTypes?: PolicyFactory }).trustedTypes;
factory?.createPolicy("default", {
  createHTML: (text) => {
    if (text.includes("<")) throw new TypeError("The panel must not create HTML from strings.");
    return text;
  },
});
