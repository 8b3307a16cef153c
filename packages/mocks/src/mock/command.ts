import type { SocialProvider } from "@social-connect/contract";
import type { ConsumerMock } from "./consumerMock.ts";

export interface CommandInput {
  /** What stands in the path for each part that begins with a colon. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** An object of fields; whoever is given them looks at each. */
  readonly body: never;
}

export interface Command {
  readonly method: "GET" | "POST" | "DELETE";
  readonly parts: readonly string[];
  /** What may stand in the query. */
  readonly query?: readonly string[];
  readonly run: (mock: ConsumerMock, input: CommandInput) => unknown;
}

export const get = (path: string, run: Command["run"], query: readonly string[] = []): Command => ({
  method: "GET",
  parts: path.split("/"),
  query,
  run,
});
export const post = (path: string, run: Command["run"]): Command => ({ method: "POST", parts: path.split("/"), run });
export const remove = (path: string, run: Command["run"]): Command => ({
  method: "DELETE",
  parts: path.split("/"),
  run,
});
export const first = ({ path }: CommandInput): string => path[0] ?? "";
export const provider = (input: CommandInput) => first(input) as SocialProvider;
