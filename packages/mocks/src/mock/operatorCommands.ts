import type { Capability } from "@social-connect/contract";
import type { ApplicationControl } from "../control/applicationControl.ts";
import { type Command, field, first, get, post, provider, remove, second } from "./command.ts";

export const OPERATORS: readonly Command[] = [
  get("application", (mock) => ({ ...viewOf(mock.application), key: mock.key })),
  post("applications", (mock, input) => {
    const application = mock.createApplication(input.body);
    return { ...viewOf(application), key: application.issueKey() };
  }),
  get("applications/:id", (mock, input) => viewOf(mock.applicationById(first(input)))),
  remove("applications/:id", (mock, input) => mock.applicationById(first(input)).remove()),
  post("applications/:id/enable", (mock, input) => mock.applicationById(first(input)).enable()),
  post("applications/:id/disable", (mock, input) => mock.applicationById(first(input)).disable()),
  post("applications/:id/hold", (mock, input) => mock.applicationById(first(input)).hold()),
  post("applications/:id/release", (mock, input) => mock.applicationById(first(input)).release()),
  post("applications/:id/policy", (mock, input) => mock.applicationById(first(input)).setPolicy(input.body)),
  post("applications/:id/previews", (mock, input) => mock.applicationById(first(input)).setPreviews(input.body)),
  post("applications/:id/return-urls", (mock, input) =>
    mock.applicationById(first(input)).addReturnUrl(field(input, "url", "string!")),
  ),
  post("applications/:id/keys", (mock, input) => ({ key: mock.applicationById(first(input)).issueKey(input.body) })),
  post("applications/:id/keys/:key/revoke", (mock, input) =>
    mock.applicationById(first(input)).revokeKey(second(input)),
  ),
  get("registrations/:provider", (mock, input) => {
    const { status, capabilities } = mock.registration(provider(input));
    return { status, capabilities };
  }),
  post("registrations/:provider/publish", (mock, input) => mock.registration(provider(input)).publish()),
  post("registrations/:provider/pause", (mock, input) => mock.registration(provider(input)).pause()),
  post("registrations/:provider/disable", (mock, input) => mock.registration(provider(input)).disable()),
  post("registrations/:provider/serve", (mock, input) =>
    mock.registration(provider(input)).serve(field(input, "served", "boolean!")),
  ),
  post("registrations/:provider/capabilities", (mock, input) =>
    mock.registration(provider(input)).setCapabilities(field(input, "capabilities", "strings")),
  ),
  get("registrations/:provider/scopes/:capability", (mock, input) => ({
    scopes: mock.registration(provider(input)).scopesOf(second(input) as Capability),
  })),
  post("registrations/:provider/scopes/:capability", (mock, input) =>
    mock.registration(provider(input)).setScopes(second(input) as Capability, field(input, "scopes", "strings!")),
  ),
];

export const ADMIN: readonly Command[] = [
  get("admin", ({ admin: { host, readKey, writeKey, members } }) => ({ host, readKey, writeKey, members })),
  get("admin/audit", (mock) => mock.admin.audit()),
  post("admin/keys", (mock, input) => ({ key: mock.admin.mintKey(input.body) })),
  post("admin/keys/:key/revoke", (mock, input) => mock.admin.revokeKey(first(input))),
  post("admin/members", (mock, input) => mock.admin.addMember(field(input, "email", "string!"))),
  remove("admin/members/:email", (mock, input) => mock.admin.removeMember(first(input))),
];

function viewOf(application: ApplicationControl) {
  const { id, slug, tenantKeys, webOrigins, returnUrls, identityReturnUrls, isEnabled } = application;
  return { id, slug, tenantKeys, webOrigins, returnUrls, identityReturnUrls, isEnabled };
}
