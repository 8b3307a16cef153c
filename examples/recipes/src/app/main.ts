import { createServer } from "node:http";
import { launchPage, SocialConnect } from "@social-connect/sdk";
import { welcome } from "./welcome.ts";

/** The same application as a web server, for a browser: a Connect button, and the page that the browser returns to. */
const { SOCIAL_CONNECT_URL = "", SOCIAL_CONNECT_KEY = "", PORT = "8000" } = process.env;
const social = new SocialConnect({ baseUrl: SOCIAL_CONNECT_URL, key: SOCIAL_CONNECT_KEY });
const scope = { tenantKey: "acme", externalSubjectId: "mara" };
const returnUrl = `http://127.0.0.1:${PORT}/connected`;

async function answer(method: string, path: string, cookie: string): Promise<Response> {
  if (method === "POST" && path === "/connect") {
    const user = social.forSubject(scope);
    const session = await user.connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl });
    const page = launchPage(session).toResponse();
    page.headers.set("set-cookie", `attempt=${session.id}; HttpOnly; SameSite=Lax; Path=/`);
    return page;
  }
  const text =
    path === "/connected" ? await welcome(social, scope, /attempt=([\w-]+)/.exec(cookie)?.[1] ?? "") : "Your accounts";
  const button = '<form method="post" action="/connect"><button>Connect</button></form>';
  const html = `<!doctype html><html lang="en"><title>Example</title><h1>${text}</h1>${button}</html>`;
  return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
}

createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", returnUrl);
  answer(request.method ?? "GET", pathname, request.headers.cookie ?? "").then(
    async (page) => {
      response.writeHead(page.status, Object.fromEntries(page.headers));
      response.end(await page.text());
    },
    (error: Error) => response.writeHead(500).end(error.message),
  );
}).listen(Number(PORT), "127.0.0.1");
