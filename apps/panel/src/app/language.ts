/**
 * A browser on a machine without a configured locale reports an invalid language tag, such as `en-US@posix`. `Intl`
 * throws for it, and the chart library passes it to `Intl` while it loads.
 */
if (!isValidTag(navigator.language)) Object.defineProperty(navigator, "language", { value: "en" });

function isValidTag(tag: string): boolean {
  try {
    Intl.getCanonicalLocales(tag);
    return true;
  } catch {
    return false;
  }
}
