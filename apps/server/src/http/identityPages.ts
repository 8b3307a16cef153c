import { LIMITS } from "@social-connect/contract";
import { Hono } from "hono";
import { completeIdentity } from "../modules/identity/completeIdentity.ts";
import { identityRedirectUri, launchIdentity } from "../modules/identity/launchIdentity.ts";
import type { Service } from "../modules/service.ts";
import { answerCallback, answerLaunch, callbackOf } from "./attemptPages.ts";
import type { FormEnv } from "./forms.ts";
import { getPostedCallback } from "./postedCallback.ts";

/** The browser pages of the identity handoff. */
export function identityPages(service: Service): Hono<FormEnv> {
  const pages = new Hono<FormEnv>();
  const form = { kind: "identity", deadlineMs: LIMITS.identityDeadlineMs, launch: launchIdentity } as const;

  pages.post("/api/identity/redeem", (context) => answerLaunch(context, service, form));

  pages.get("/api/identity/callback", async (context) => {
    const callback = await completeIdentity(service, callbackOf(context, service, "identity"));
    return answerCallback(context, service, "identity", callback);
  });

  pages.post("/api/identity/callback", (context) => getPostedCallback(context, identityRedirectUri(service)));

  return pages;
}
