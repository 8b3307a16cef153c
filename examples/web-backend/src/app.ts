import { readFileSync } from "node:fs";
import { SocialConnectError } from "@social-connect/sdk";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import type { AppEnvironment, Dependencies } from "./core/context.ts";
import { explainError } from "./core/explain.ts";
import { requireSignIn } from "./core/session.ts";
import { accountRoutes } from "./routes/account.ts";
import { connectRoutes } from "./routes/connect.ts";
import { disconnectRoutes } from "./routes/disconnect.ts";
import { identityRoutes } from "./routes/identity.ts";
import { signInRoutes } from "./routes/signIn.ts";
import { linkButton, messagePage } from "./views/layout.ts";

const FILES = { "/style.css": "text/css", "/reload.js": "text/javascript" } as const;

/** The whole application as a function of its dependencies, so that a test can drive it without a port. */
export function createApp(dependencies: Dependencies) {
  const { returnUrl, imageOrigins } = dependencies.settings;
  const { origin } = new URL(returnUrl);
  const app = new Hono<AppEnvironment>();

  // Nothing inline, and images from the configured origins. The launch page has its own policy, which replaces this one.
  const own = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; form-action 'self'";
  const policy = `${own}; base-uri 'none'; frame-ancestors 'none'; ${["img-src 'self'", ...imageOrigins].join(" ")}`;
  app.use(async (c, next) => {
    c.header("content-security-policy", policy);
    // Keeps the forms' Origin header, which the next check needs.
    c.header("referrer-policy", "same-origin");
    c.header("x-content-type-options", "nosniff");
    c.header("cache-control", "no-store");
    return next();
  });
  // Every change is a POST, and is taken from this application's own pages only, under its own host name.
  app.use(async (c, next) =>
    c.req.method === "POST" && c.req.header("origin") !== origin ? c.text("Forbidden", 403) : next(),
  );

  app.get("/healthz", (c) => c.text("ok"));
  for (const [path, type] of Object.entries(FILES)) {
    const text = readFileSync(new URL(`public${path}`, import.meta.url), "utf8");
    app.get(path, (c) => c.body(text, 200, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-cache" }));
  }
  app.route("/", signInRoutes(dependencies));
  app.route("/", identityRoutes(dependencies));

  app.use(requireSignIn(dependencies));
  app.route("/", accountRoutes(dependencies));
  app.route("/", connectRoutes(dependencies));
  app.route("/", disconnectRoutes(dependencies));

  app.notFound((c) =>
    c.html(messagePage({ title: "No such page", text: "The address leads nowhere." }, linkButton("/", "Home")), 404),
  );

  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    // Errors of the SDK are made to be logged; of anything else, only the stack, which holds no request.
    dependencies.log(SocialConnectError.is(error) ? JSON.stringify(error) : String(error.stack));
    const { title, text, status } = explainError(error);
    const user = c.get("signedIn")?.user;
    return c.html(messagePage({ title, text, user, mood: "bad" }, linkButton("/", "Your accounts", "primary")), status);
  });

  return app;
}
