import { MAX_QUOTA_RESERVE, MAX_QUOTA_UNITS, type shownOverride, type shownQuota } from "@social-connect/domain";
import type { BudgetUse as BudgetUseShape } from "../../modules/quota/readQuotaUse.ts";
import { orNull } from "../shared/fieldOptions.ts";
import { builder } from "./builder.ts";

const QuotaWindow = builder.enumType("QuotaWindow", {
  description: "When the count of a quota resets.",
  values: {
    MINUTE: { description: "Each minute." },
    DAY: { description: "At midnight in UTC." },
    PACIFIC_DAY: { description: "At midnight in the Pacific time zone." },
  },
});

const QuotaScope = builder.enumType("QuotaScope", {
  description: "What has its own budget of calls.",
  values: {
    REGISTRATION: { description: "The registration; its clients share the budget." },
    READ: { description: "Each read of the provider's API; the registration's clients share the budget." },
    ACCOUNT: { description: "Each connected account." },
  },
});

const PER = "What has its own budget.";
const UNITS = "Calls in a window.";
const WINDOW = "When the count resets.";
const RESERVE = "that background reads leave to requested reads and to new accounts.";

export const ProviderQuota = builder.objectRef<ReturnType<typeof shownQuota>>("ProviderQuota").implement({
  description: "How often the service may call a provider's API. Token and revocation endpoints are not counted.",
  fields: (t) => ({
    units: t.exposeInt("units", { description: UNITS }),
    window: t.expose("window", { type: QuotaWindow, description: WINDOW }),
    per: t.expose("per", { type: QuotaScope, description: PER }),
    reserve: t.exposeFloat("reserve", { description: `The part, from 0 to 1, ${RESERVE}` }),
  }),
});

export const QuotaOverride = builder.objectRef<ReturnType<typeof shownOverride>>("QuotaOverride").implement({
  description: "A registration's own quota. A field is null where the provider's default applies.",
  fields: (t) => ({
    units: t.exposeInt("units", orNull(UNITS)),
    window: t.expose("window", { type: QuotaWindow, ...orNull(WINDOW) }),
    per: t.expose("per", { type: QuotaScope, ...orNull(PER) }),
    reserve: t.exposeFloat("reserve", orNull(`The part, from 0 to 1, ${RESERVE}`)),
  }),
});

const ClientQuotaUse = builder.objectRef<BudgetUseShape["clients"][number]>("ClientQuotaUse").implement({
  description: "What a client used of a shared budget.",
  fields: (t) => ({
    clientId: t.exposeID("clientId"),
    clientSlug: t.exposeString("clientSlug"),
    used: t.exposeInt("used", { description: "Its calls in this window." }),
    share: t.exposeInt("share", {
      description: "Its share of the budget. Unused parts of other shares are lent to it as the window passes.",
    }),
  }),
});

export const QuotaUse = builder.objectRef<BudgetUseShape>("QuotaUse").implement({
  description: "What was used of a budget that clients share, in the current window.",
  fields: (t) => ({
    read: t.exposeString("read", orNull("The path of the read that has this budget; null if all reads share it.")),
    used: t.exposeInt("used", { description: "Calls of all clients in this window." }),
    units: t.exposeInt("units", { description: UNITS }),
    endsAt: t.expose("endsAt", { type: "DateTime", description: WINDOW }),
    keptForOthers: t.exposeInt("keptForOthers", {
      description: "The share that is reserved for clients without calls in this window; 0 if every client made calls.",
    }),
    clients: t.field({
      type: [ClientQuotaUse],
      description: "The clients that made calls in this window, in the order of their slugs.",
      resolve: ({ clients }) => [...clients],
    }),
  }),
});

export const QuotaInput = builder.inputType("QuotaInput", {
  description: "A registration's own quota. Absent fields use the provider's default.",
  fields: (t) => ({
    units: t.int({ description: `Calls in a window, from 1 to ${MAX_QUOTA_UNITS.toLocaleString("en")}.` }),
    window: t.field({ type: QuotaWindow, description: WINDOW }),
    per: t.field({ type: QuotaScope, description: PER }),
    reserve: t.float({ description: `The part, from 0 to ${MAX_QUOTA_RESERVE}, ${RESERVE}` }),
  }),
});
