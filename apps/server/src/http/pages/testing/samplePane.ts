import { getRequestListener } from "@hono/node-server";
import { CAPABILITIES, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { type Language, PROVIDER_TRAITS } from "@social-connect/domain";
import { type LocalServer, serve } from "@social-connect/testkit";
import { Hono } from "hono";
import type { PageBrand } from "../../../modules/browser/readPageBrand.ts";
import { answerConsentPane } from "../consentPane.ts";

/** 80 characters, as many as a name may have. */
export const LONG_BRAND: PageBrand = {
  displayName: "Donaudampfschifffahrtsgesellschaftskapitänsverwaltung der Wachau, Abteilung Web!",
  logo: null,
  brandColor: "#0a5c36",
  supportAddress: "mailto:help@shop.example",
  privacyUrl: "https://shop.example/privacy",
  home: "https://shop.example/",
};

export const panePath = (language: Language, provider: SocialProvider) => `/${language}/${provider}`;

/** Serves consent panes with all capabilities, without a service: `/de/PROVIDER_B`. */
export function servePanes(brand: PageBrand): Promise<LocalServer> {
  const app = new Hono();
  app.get("/:language/:provider", (context) => {
    const language = context.req.param("language") as Language;
    const provider = SOCIAL_PROVIDERS.find((one) => one === context.req.param("provider")) ?? "PROVIDER_A";
    const now = new Date("2026-03-10T12:00:00Z");
    const pane = {
      provider,
      offersOtherAccount: PROVIDER_TRAITS[provider].accountChoice === "on-request",
      providerHost: "accounts.provider.example",
      isPlainHttp: false,
      capabilities: CAPABILITIES,
      expiresAt: new Date(now.getTime() + 600_000),
      now,
    };
    const action = { path: "/", field: "attempt", attemptId: "1", leaveField: "leave", otherField: "otherAccount" };
    const locale = { language, tag: language };
    return answerConsentPane(context, { locale, serviceHost: "connect.example", brand, pane, action });
  });
  return serve(getRequestListener(app.fetch));
}
