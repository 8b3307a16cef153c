import { scenario } from "./scenario.ts";

/** The operator's side: clients, keys and registrations, as the admin API sees them. */
export const ADMINISTRATION = {
  "clients-to-change": scenario({
    summary:
      "Three more clients, at each of which something cannot be changed: the last address, an address in use, a busy row.",
    reaches: [
      "ApiKeyScope.READ",
      "ApiKeyScope.WRITE",
      "adminCode.UNAUTHENTICATED",
      "adminCode.FORBIDDEN",
      "adminCode.BAD_USER_INPUT",
      "adminCode.NOT_FOUND",
      "adminCode.CONFLICT",
      "adminReason.API_KEY_READ_ONLY",
      "adminReason.PANEL_ONLY",
      "adminReason.LAST_ORIGIN",
      "adminReason.LAST_RETURN_URL",
      "adminReason.SLUG_TAKEN",
      "adminReason.ALREADY_PRESENT",
      "adminReason.ORIGIN_IN_USE",
      "adminReason.KEY_LIMIT",
      "adminReason.ROW_BUSY",
    ],
    seenBy: [
      "setClientDisplayName",
      "removeClientOrigin",
      "removeClientReturnUrl",
      "addClientOrigin",
      "createClient",
      "apiKeys",
      "issueClientCredential",
    ],
    prepare: ({ mock }) => {
      const single = mock.createApplication({ slug: "single-address" });
      const webOrigins = ["https://first.example.test", "https://second.example.test"];
      const double = mock.createApplication({ slug: "two-origins", webOrigins });
      const busy = mock.createApplication({ slug: "busy" });
      double.issueKey();
      double.issueKey();
      busy.hold();
      return { singleId: single.id, twoOriginsId: double.id, busyId: busy.id, usedOrigin: webOrigins[0] ?? "" };
    },
  }),

  "registrations-in-every-status": scenario({
    summary: "One provider's registration is published beside a draft, the second's is paused, the third's disabled.",
    reaches: [
      "RegistrationStatus.DRAFT",
      "RegistrationStatus.PUBLISHED",
      "RegistrationStatus.PAUSED",
      "RegistrationStatus.DISABLED",
      "code.FORBIDDEN",
    ],
    seenBy: ["adminRegistrations", "createConnectSession"],
    prepare: (builder) => {
      builder.mock.registration("PROVIDER_B").pause();
      builder.mock.registration("PROVIDER_C").disable();
      return { draftId: builder.draftRegistration("PROVIDER_A") };
    },
  }),
} as const;
