import { LIMITS } from "@social-connect/contract";
import { providerOfSlug } from "@social-connect/domain";
import { Hono } from "hono";
import { completeConnect } from "../modules/connect/completeConnect.ts";
import { redeemLaunchToken } from "../modules/connect/redeemLaunchToken.ts";
import type { Service } from "../modules/service.ts";
import { answerCallback, answerLaunch, answerPane, callbackOf } from "./attemptPages.ts";
import type { FormEnv } from "./forms.ts";
import { answerNotFound } from "./pages/notFound.ts";

/** The browser pages of Connect: the target of the launch form and each provider's redirect URI. */
export function connectPages(service: Service): Hono<FormEnv> {
  const pages = new Hono<FormEnv>();
  const form = { kind: "connect", deadlineMs: LIMITS.connectDeadlineMs, launch: redeemLaunchToken } as const;

  pages.post("/api/connect/redeem", (context) => answerLaunch(context, service, form));

  pages.get("/api/connect/consent", (context) => answerPane(context, service, { ...form, step: "SHOW_PANE" }));
  pages.post("/api/connect/consent", (context) => answerPane(context, service, { ...form, step: "ACCEPT_PANE" }));

  pages.get("/api/connect/callback/:provider", async (context) => {
    const provider = providerOfSlug(context.req.param("provider"));
    if (provider === null) return answerNotFound(context, service);
    const callback = await completeConnect(service, { provider, ...callbackOf(context, service, "connect") });
    return answerCallback(context, service, "connect", callback);
  });

  return pages;
}
