import { setNonce } from "get-nonce";

const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');

/** Value that the content policy of this page asks of every style element (CSP level 3, 2.3.1). */
export const nonce = meta?.nonce ?? "";

// For the library's style elements that are not its provider's, such as the one that stops a page from scrolling.
setNonce(nonce);
