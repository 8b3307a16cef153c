import { fieldsOf } from "../control/fields.ts";
import { offeredAccounts } from "../providers/scripts.ts";
import type { GrantEnd } from "../state/providerState.ts";
import type { Command } from "./command.ts";
import { first, get, post, provider } from "./command.ts";

export const CONNECTIONS: readonly Command[] = [
  get("connections", (mock) => mock.connections().map((connection) => connection.state)),
  get("connections/:id", (mock, input) => mock.connection(first(input)).state),
  post("connections/:id/lose-grant", (mock, input) => mock.connection(first(input)).loseGrant(input.body)),
  post("connections/:id/end-grant", (mock, input) => {
    const { cause } = fieldsOf(input.body, { cause: "string" });
    return mock.connection(first(input)).endGrant(cause as GrantEnd | undefined);
  }),
  post("connections/:id/expire-credential", (mock, input) => mock.connection(first(input)).expireCredential()),
  post("connections/:id/suspend", (mock, input) => mock.connection(first(input)).suspend()),
  post("connections/:id/resume", (mock, input) => mock.connection(first(input)).resume()),
  post("connections/:id/disconnect", (mock, input) => mock.connection(first(input)).disconnect()),
  post("connections/:id/posts", (mock, input) => mock.connection(first(input)).publish(input.body)),
  post("connections/:id/posts/:post/observe", (mock, input) =>
    mock.connection(first(input)).observe(input.path[1] ?? ""),
  ),
];

export const ACCOUNTS: readonly Command[] = [
  get("accounts/:provider", (_mock, input) => offeredAccounts(provider(input))),
  get("accounts/:provider/:name", (mock, input) => {
    const account = mock.account(provider(input), input.path[1] ?? "");
    return { id: account.id, name: account.name };
  }),
  get("accounts/:provider/:name/posts", (mock, input) => mock.account(provider(input), input.path[1] ?? "").posts()),
  post("accounts/:provider/:name/posts", (mock, input) =>
    mock.account(provider(input), input.path[1] ?? "").publish(input.body),
  ),
  post("accounts/:provider/:name/posts/:post", (mock, input) =>
    mock.account(provider(input), input.path[1] ?? "").change(input.path[2] ?? "", input.body),
  ),
  post("accounts/:provider/:name/end-grants", (mock, input) => {
    const { cause } = fieldsOf(input.body, { cause: "string" });
    mock.account(provider(input), input.path[1] ?? "").endGrants(cause as GrantEnd | undefined);
  }),
  post("accounts/:provider/:name/remove-app", (mock, input) =>
    mock.account(provider(input), input.path[1] ?? "").removeApp(input.body),
  ),
];
