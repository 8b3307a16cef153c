import { LIMITS } from "@social-connect/contract";
import { Hono } from "hono";
import { returnAddress } from "../modules/connect/returnAddress.ts";
import { completeIdentity } from "../modules/identity/completeIdentity.ts";
import { launchIdentity } from "../modules/identity/launchIdentity.ts";
import type { Service } from "../modules/service.ts";
import { boundBrowserSecret } from "./browserBinding.ts";
import { recordCallback, recordLaunch } from "./browserSecurity.ts";
import { answer, answerLaunch, goBack, withReturn } from "./connectPages.ts";
import type { FormEnv } from "./forms.ts";
import { formField } from "./forms.ts";
import { PAGES } from "./pages.ts";
import { requestQuery } from "./requestQuery.ts";

/** The browser pages of the identity handoff. */
export function identityPages(service: Service): Hono<FormEnv> {
  const pages = new Hono<FormEnv>();
  const publicUrl = new URL(service.connectHost);

  pages.post("/api/identity/redeem", async (context) => {
    const launchToken = (await formField(context, "launchToken")) ?? "";
    const launched = await launchIdentity(service, { launchToken, origin: context.req.header("origin") ?? null });
    recordLaunch(context, service, "identity", launched);
    return answerLaunch(context, publicUrl, launched, {
      kind: "identity",
      maxAgeSeconds: LIMITS.identityDeadlineMs / 1_000,
    });
  });

  pages.get("/api/identity/callback", async (context) => {
    const completed = await completeIdentity(service, {
      query: requestQuery(context),
      browserSecretOf: (attemptId) => boundBrowserSecret(context, publicUrl, "identity", attemptId),
    });
    switch (completed.outcome) {
      case "ended":
        return goBack(context, await returnAddress(service, "identity", completed.attempt));
      case "expired":
        return answer(context, withReturn(PAGES.expired, await returnAddress(service, "identity", completed.attempt)));
      case "unknown-state":
        recordCallback(context, service, "identity", completed);
        return answer(context, PAGES.unknownState);
      case "foreign-browser":
      case "state-used":
        recordCallback(context, service, "identity", { outcome: completed.outcome, attemptId: completed.attemptId });
        return answer(context, completed.outcome === "state-used" ? PAGES.stateUsed : PAGES.foreignBrowser);
    }
  });

  return pages;
}
