/** For fields whose text is not prose: URLs, keys, ids. */
export const PLAIN_TEXT = { autoComplete: "off", autoCapitalize: "off", spellCheck: false } as const;
