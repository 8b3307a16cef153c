import type { NextConfig } from "next";

/** No page of another site shows these pages in a frame, where a user could be tricked into a click. */
const PAGE_HEADERS = {
  "content-security-policy": "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

const config: NextConfig = {
  poweredByHeader: false,
  headers: async () => [
    {
      // The launch page of /connect sets its own.
      source: "/((?!connect$).*)",
      headers: Object.entries(PAGE_HEADERS).map(([key, value]) => ({ key, value })),
    },
  ],
};

export default config;
