import { SocialConnectError, TimeoutError } from "@social-connect/sdk";
import { Hono } from "hono";
import {
  type AppContext,
  type AppEnvironment,
  type Dependencies,
  readDeadline,
  secondsFromNow,
} from "../core/context.ts";
import { explainError, explainJob } from "../core/explain.ts";
import { linkButton, messagePage } from "../views/layout.ts";
import { lookupPage } from "../views/lookup.ts";
import { postPage } from "../views/post.ts";

const PATIENCE_SECONDS = 3;

export function postRoutes(dependencies: Dependencies) {
  const routes = new Hono<AppEnvironment>();

  routes.get("/accounts/:id/posts/:postId", async (c) => {
    const { user, subject } = c.get("signedIn");
    const { id, postId } = c.req.param();
    const post = await subject.contentItem(id, postId, { deadline: readDeadline(dependencies) });
    if (post === null) return notFound(c, id, "This post has not been read from the provider.");
    return c.html(postPage({ user, connectionId: id, post }));
  });

  routes.post("/accounts/:id/posts/:postId/refresh", async (c) => {
    const { subject } = c.get("signedIn");
    const { id, postId } = c.req.param();
    const jobId = await subject.refresh(id, { providerContentId: postId }).start();
    return c.redirect(`${accountPath(id)}/jobs/${encodeURIComponent(jobId)}?post=${encodeURIComponent(postId)}`, 303);
  });

  routes.get("/accounts/:id/lookup", (c) =>
    c.html(lookupPage(c.get("signedIn").user, { connectionId: c.req.param("id") })),
  );

  /** What was submitted is shown again with an error, so an error never costs it. */
  routes.post("/accounts/:id/lookup", async (c) => {
    const { user, subject } = c.get("signedIn");
    const id = c.req.param("id");
    const { url: submitted } = await c.req.parseBody();
    const url = typeof submitted === "string" ? submitted.trim() : "";
    try {
      const jobId = await subject.lookup(id, url).start();
      return c.redirect(`${accountPath(id)}/jobs/${encodeURIComponent(jobId)}?url=${encodeURIComponent(url)}`, 303);
    } catch (error) {
      if (!SocialConnectError.is(error)) throw error;
      dependencies.log(JSON.stringify(error));
      const { text, status } = explainError(error);
      return c.html(lookupPage(user, { connectionId: id, url, problem: text }), status);
    }
  });

  /** Waits for a lookup or a reading of one post. A job of another subject is NOT_FOUND to the service already. */
  routes.get("/accounts/:id/jobs/:jobId", async (c) => {
    const { user, subject } = c.get("signedIn");
    const { id, jobId } = c.req.param();
    try {
      const job = await subject.job(id, jobId).wait({ deadline: secondsFromNow(dependencies, PATIENCE_SECONDS) });
      const { post, url } = c.req.query();
      if (job.status === "SUCCEEDED") {
        const found = encodeURIComponent(post ?? job.resultProviderContentId ?? "");
        return c.redirect(`${accountPath(id)}/posts/${found}`, 303);
      }
      if (post !== undefined) return notFound(c, id, explainJob(job));
      return c.html(lookupPage(user, { connectionId: id, url, problem: explainJob(job) }), 404);
    } catch (error) {
      if (!TimeoutError.is(error)) throw error;
      const text = "The provider is being asked for this post.";
      const { pathname, search } = new URL(c.req.url);
      const reload = { seconds: 1, path: pathname + search };
      return c.html(
        messagePage({ title: "One moment", text, user, mood: "busy", reload }, linkButton(accountPath(id), "Back")),
      );
    }
  });

  return routes;
}

function accountPath(id: string): string {
  return `/accounts/${encodeURIComponent(id)}`;
}

function notFound(c: AppContext, id: string, text: string) {
  const { user } = c.get("signedIn");
  const back = linkButton(accountPath(id), "Back to the account", "primary");
  return c.html(messagePage({ title: "No such post", text, user, mood: "bad" }, back), 404);
}
