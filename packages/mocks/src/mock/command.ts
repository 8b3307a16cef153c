import type { SocialProvider } from "@social-connect/contract";
import type { ConsumerMock } from "./consumerMock.ts";

export interface CommandInput {
  /** Values of the path parameters, which start with a colon. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** The JSON body. The control validates its fields. */
  readonly body: never;
}

export interface Command {
  readonly method: "GET" | "POST" | "DELETE";
  readonly parts: readonly string[];
  /** Names of query parameters. */
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
