import { readFileSync } from "node:fs";
import { SocialConnectError } from "@social-connect/sdk";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import type { AppEnvironment, Dependencies } from "./core/context.ts";
import { explainError } from "./core/explain.ts";
import { securityHeaders } from "./core/security.ts";
import { requireSignIn } from "./core/session.ts";
import { accountRoutes } from "./routes/account.ts";
import { connectRoutes } from "./routes/connect.ts";
import { disconnectRoutes } from "./routes/disconnect.ts";
import { homeRoutes } from "./routes/home.ts";
import { identityRoutes } from "./routes/identity.ts";
import { postRoutes } from "./routes/posts.ts";
import { signInRoutes } from "./routes/signIn.ts";
import { readScripts } from "./scripts.ts";
import { linkButton, messagePage } from "./views/layout.ts";

const STYLE = readFileSync(new URL("style.css", import.meta.url), "utf8");
const SCRIPTS = readScripts();

/** The whole application as a function of its dependencies, so that a test can drive it without a port. */
export function createApp(dependencies: Dependencies) {
  const app = new Hono<AppEnvironment>();

  app.use(securityHeaders(dependencies));
  // Every change is a POST, and is taken from this application's own pages only, under its own host name.
  const { origin } = new URL(dependencies.settings.returnUrl);
  app.use(async (c, next) =>
    c.req.method === "POST" && c.req.header("origin") !== origin ? c.text("Forbidden", 403) : next(),
  );

  app.get("/healthz", (c) => c.text("ok"));
  app.get("/style.css", (c) =>
    c.body(STYLE, 200, { "content-type": "text/css; charset=utf-8", "cache-control": "no-cache" }),
  );
  app.get("/public/:path{.+}", (c, next) => {
    const script = SCRIPTS.get(c.req.param("path"));
    const headers = { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" };
    return script === undefined ? next() : c.body(script, 200, headers);
  });
  app.route("/", signInRoutes(dependencies));
  app.route("/", identityRoutes(dependencies));

  app.use(requireSignIn(dependencies));
  app.route("/", homeRoutes(dependencies));
  app.route("/", connectRoutes(dependencies));
  app.route("/", accountRoutes(dependencies));
  app.route("/", postRoutes(dependencies));
  app.route("/", disconnectRoutes(dependencies));

  app.notFound((c) =>
    c.html(
      messagePage({ title: "No such page", text: "The address leads nowhere." }, linkButton("/", "Your accounts")),
      404,
    ),
  );

  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    // Errors of the SDK are made to be logged; of anything else, only the stack, which holds no request.
    dependencies.log(SocialConnectError.is(error) ? JSON.stringify(error) : String(error.stack));
    const { title, text, status } = explainError(error);
    const user = c.get("signedIn")?.user;
    const page = messagePage({ title, text, user, mood: "bad" }, linkButton("/", "Your accounts", "primary"));
    return c.html(page, status);
  });

  return app;
}
