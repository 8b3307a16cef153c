import type { BrowserContext, Request } from "@social-connect/testkit";

export interface Traffic {
  /** Every requested or redirected URL, in all tabs. */
  readonly addresses: readonly string[];
  /** Every `Referer` that was sent. */
  readonly referrers: readonly string[];
  /** The headers of every response, including redirects. */
  readonly answers: readonly { readonly url: URL; readonly headers: Readonly<Record<string, string>> }[];
  /** The launch token in the form and the code in the callback. */
  secrets(): Promise<{ readonly launchToken: string; readonly code: string }>;
}

/** Records what a browser reveals: URLs, redirects and referrers. */
export function watchTraffic(context: BrowserContext): Traffic {
  const addresses: string[] = [];
  const referrers: string[] = [];
  const answers: Traffic["answers"][number][] = [];
  let launchToken = "";
  let code = "";
  const finished: Promise<void>[] = [];
  context.on("request", (request) => {
    const url = new URL(request.url());
    addresses.push(url.href);
    if (url.pathname === "/api/connect/redeem") {
      launchToken = new URLSearchParams(request.postData() ?? "").get("launchToken") ?? "";
    }
    code = url.searchParams.get("code") ?? code;
  });
  /** Playwright never resolves the headers of a request that the browser gave up, so they are read once its answer is complete. */
  const readHeaders = async (request: Request) => {
    // The headers that were sent, including headers that the page did not set.
    const { referer } = await request.allHeaders();
    if (referer) referrers.push(referer);
    const headers = (await (await request.response())?.allHeaders()) ?? {};
    answers.push({ url: new URL(request.url()), headers });
    const { location } = headers;
    if (location !== undefined) addresses.push(new URL(location, request.url()).href);
  };
  context.on("requestfinished", (request) => finished.push(readHeaders(request)));
  context.on("requestfailed", (request) => {
    const { referer } = request.headers();
    if (referer) referrers.push(referer);
  });
  return {
    addresses,
    referrers,
    answers,
    secrets: async () => {
      await Promise.all(finished);
      return { launchToken, code };
    },
  };
}
