import { offeredAccounts } from "../providers/scripts.ts";
import { type Command, type CommandInput, field, first, get, post, provider, second } from "./command.ts";
import type { ConsumerMock } from "./consumerMock.ts";

export const CONNECTIONS: readonly Command[] = [
  get("connections", (mock) => mock.connections().map((connection) => connection.state)),
  get("connections/:id", (mock, input) => mock.connection(first(input)).state),
  post("connections/:id/lose-grant", (mock, input) => mock.connection(first(input)).loseGrant(input.body)),
  post("connections/:id/end-grant", (mock, input) =>
    mock.connection(first(input)).endGrant(field(input, "cause", "string")),
  ),
  post("connections/:id/expire-credential", (mock, input) => mock.connection(first(input)).expireCredential()),
  post("connections/:id/suspend", (mock, input) => mock.connection(first(input)).suspend()),
  post("connections/:id/resume", (mock, input) => mock.connection(first(input)).resume()),
  post("connections/:id/disconnect", (mock, input) => mock.connection(first(input)).disconnect()),
  post("connections/:id/posts", (mock, input) => mock.connection(first(input)).publish(input.body)),
  post("connections/:id/posts/:post/observe", (mock, input) => mock.connection(first(input)).observe(second(input))),
];

export const ACCOUNTS: readonly Command[] = [
  get("accounts/:provider", (_mock, input) => offeredAccounts(provider(input))),
  get("accounts/:provider/:name", (mock, input) => {
    const { id, name } = account(mock, input);
    return { id, name };
  }),
  get("accounts/:provider/:name/posts", (mock, input) => account(mock, input).posts()),
  post("accounts/:provider/:name/posts", (mock, input) => account(mock, input).publish(input.body)),
  post("accounts/:provider/:name/posts/:post", (mock, input) =>
    account(mock, input).change(input.path[2] ?? "", input.body),
  ),
  post("accounts/:provider/:name/end-grants", (mock, input) =>
    account(mock, input).endGrants(field(input, "cause", "string")),
  ),
  post("accounts/:provider/:name/remove-app", (mock, input) => account(mock, input).removeApp(input.body)),
  post("accounts/:provider/:name/request-deletion", (mock, input) => account(mock, input).requestDeletion(input.body)),
];

function account(mock: ConsumerMock, input: CommandInput) {
  return mock.account(provider(input), second(input));
}
