import { inputSchema, ROLLUP_KEPT_MS } from "@social-connect/domain";
import {
  listClientsOfSdkVersion,
  listSdkVersions,
  type SdkLibrary as SdkLibraryName,
  type SdkVersionClient as SdkVersionClientShape,
  type SdkVersion as SdkVersionShape,
} from "../../modules/rollups/sdkVersions.ts";
import { orNull } from "../shared/fieldOptions.ts";
import { builder } from "./builder.ts";
import { PAGE_ARGUMENTS, pageType } from "./paging.ts";

const STORED_DAYS = ROLLUP_KEPT_MS.hour / 86_400_000;

const SdkLibrary = builder.enumType("SdkLibrary", {
  description: "The library that requests name in their client header.",
  values: {
    SDK: { value: "sdk", description: "The SDK of the consumer API." },
    ADMIN_SDK: { value: "admin-sdk", description: "The SDK of the admin API." },
    OTHER: { value: "other", description: "Any other value of the header." },
    UNKNOWN: { value: "none", description: "Requests without the header." },
  } satisfies Record<string, { value: SdkLibraryName; description: string }>,
});

const LAST_SEEN = {
  type: "DateTime",
  description: "When the hour of the last call began. Calls are counted by hour.",
} as const;

const SdkVersion = builder.objectRef<SdkVersionShape>("SdkVersion").implement({
  description: "A version of a library with which clients call.",
  fields: (t) => ({
    library: t.expose("library", { type: SdkLibrary }),
    version: t.exposeString("version", orNull("Null if requests name none, or more than are counted by name.")),
    clients: t.exposeInt("clients", {
      description: "How many clients. A client that calls with two versions counts for both.",
    }),
    lastSeenAt: t.expose("lastSeenAt", LAST_SEEN),
  }),
});

const SdkVersionClient = builder.objectRef<SdkVersionClientShape>("SdkVersionClient").implement({
  description: "A client that calls with a version of a library.",
  fields: (t) => ({
    id: t.exposeID("id"),
    slug: t.exposeString("slug"),
    displayName: t.exposeString("displayName"),
    calls: t.exposeInt("calls", { description: "Calls with this version in the 24 hours before its last call." }),
    lastSeenAt: t.expose("lastSeenAt", LAST_SEEN),
  }),
});

const SdkVersionClientPage = pageType(
  "SdkVersionClientPage",
  "A page of clients that call with a version, in the order of their slugs.",
  SdkVersionClient,
);

builder.queryFields((t) => ({
  adminSdkVersions: t.field({
    type: [SdkVersion],
    // textlint-disable plain-english -- published text
    description: `The versions with which clients call, by library, the newest first; at most 500, those of most clients. Of each client the 24 hours before its last call count, as far back as calls are stored: ${STORED_DAYS} days.`,
    // textlint-enable
    resolve: (_root, _args, { service }) => listSdkVersions(service),
  }),
  adminClientsOfSdkVersion: t.field({
    type: SdkVersionClientPage,
    description: "The clients that call with a version, in the order of their slugs. `adminSdkVersions` counts them.",
    args: {
      ...PAGE_ARGUMENTS,
      library: t.arg({ type: SdkLibrary, required: true }),
      version: t.arg.string({ description: "As `adminSdkVersions` names it; absent if that is null." }),
    },
    validate: inputSchema("adminClientsOfSdkVersion"),
    resolve: (_root, { first, after, library, version }, { service }) =>
      listClientsOfSdkVersion(service, { library, version: version ?? null }, { first, after }),
  }),
}));
