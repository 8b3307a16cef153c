/** The languages of the pages for end users; the first is the default. */
export const LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];
