import { printableJson } from "@social-connect/contract";
import { stringify } from "yaml";
import type { AdminClient } from "../_generated/types.ts";
import { declareClient } from "../declaration/declareClient.ts";
import { type Context, namedClient, readerOf } from "./context.ts";
import { EXIT, type ExitCode } from "./exitCodes.ts";
import { pairs, table } from "./tables.ts";

export async function listClients(context: Context): Promise<ExitCode> {
  const clients: AdminClient[] = [];
  for await (const client of readerOf(context).clients({ signal: context.signal })) clients.push(client);
  if (context.options.json) context.print(printableJson(clients));
  else if (clients.length === 0) context.print("No clients.");
  else context.print(table(HEADINGS, clients.map(rowOf)));
  return EXIT.done;
}

const HEADINGS = ["SLUG", "NAME", "ENABLED", "ORIGINS", "RETURN URLS", "TENANTS", "PROVIDERS", "ID"];

function rowOf(client: AdminClient): readonly string[] {
  return [
    client.slug,
    client.displayName,
    yesNo(client.enabled),
    String(client.webOrigins.length),
    String(client.returnUrls.length),
    String(client.tenantKeys.length),
    client.providers.join(",") || "none",
    client.id,
  ];
}

export async function showClient(context: Context): Promise<ExitCode> {
  const client = await namedClient(readerOf(context), context.names[0] ?? "", context.signal);
  context.print(context.options.json ? printableJson(client) : pairs(fieldsOf(client)));
  return EXIT.done;
}

function fieldsOf(client: AdminClient): readonly (readonly [string, string | readonly string[]])[] {
  return [
    ["slug", client.slug],
    ["id", client.id],
    ["display name", client.displayName],
    ["enabled", yesNo(client.enabled)],
    ["logo", client.logo === null ? "none" : "yes"],
    ["brand color", client.brandColor ?? "none"],
    ["support address", client.supportAddress ?? "none"],
    ["privacy link", client.privacyUrl ?? "none"],
    ["origins", client.webOrigins],
    ["return URLs", client.returnUrls],
    ["tenant keys", client.tenantKeys],
    ["providers", client.providers],
    ["capabilities", client.capabilities],
    ["preview origins", yesNo(client.previewOriginsEnabled)],
    ["preview return paths", client.previewReturnPaths],
    ["identity sign-in", yesNo(client.idpIdentityEnabled)],
    ["identity return URLs", client.identityReturnUrls],
    ["created at", client.createdAt],
    ["updated at", client.updatedAt],
  ];
}

/** The current client, as a declaration file. */
export async function declareOne(context: Context): Promise<ExitCode> {
  const client = await namedClient(readerOf(context), context.names[0] ?? "", context.signal);
  const declaration = declareClient(client);
  context.print(context.options.json ? printableJson(declaration) : stringify(declaration).trimEnd());
  return EXIT.done;
}

function yesNo(value: boolean): string {
  return value ? "yes" : "no";
}
