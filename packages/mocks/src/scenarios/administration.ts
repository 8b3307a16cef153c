import { ADMIN_FORBIDDEN_REASONS, CONFLICT_REASONS } from "@social-connect/contract";
import { scenario } from "./scenario.ts";

export const ADMINISTRATION = {
  "clients-to-change": scenario({
    summary:
      "Three more clients, each of which refuses a change: of the last address, of an address in use, or while it is locked.",
    reaches: {
      ApiKeyScope: ["READ", "WRITE"],
      adminCode: ["UNAUTHENTICATED", "FORBIDDEN", "BAD_USER_INPUT", "NOT_FOUND", "CONFLICT"],
      adminReason: [...ADMIN_FORBIDDEN_REASONS, ...CONFLICT_REASONS],
    },
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
    summary:
      "One provider has a published and a draft registration, one a paused registration, and one a disabled registration.",
    reaches: { RegistrationStatus: ["DRAFT", "PUBLISHED", "PAUSED", "DISABLED"], code: ["FORBIDDEN"] },
    seenBy: ["adminRegistrations", "createConnectSession"],
    prepare: (builder) => {
      builder.mock.registration("PROVIDER_B").pause();
      builder.mock.registration("PROVIDER_C").disable();
      return { draftId: builder.draftRegistration("PROVIDER_A") };
    },
  }),
} as const;
