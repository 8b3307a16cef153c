import { setNonce } from "get-nonce";

const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');

/** The nonce that the Content Security Policy requires of every style element (CSP level 3, 2.3.1). */
export const nonce = meta?.nonce ?? "";

// For style elements that Mantine creates outside its provider, such as its scroll lock.
setNonce(nonce);
