import type { SocialProvider } from "@social-connect/contract";
import { fieldsOf } from "../control/fields.ts";
import type { World } from "../world/world.ts";
import type { ConsumerMock } from "./consumerMock.ts";

export interface CommandInput {
  /** Values of the path parameters, which start with a colon. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** The JSON body. The control validates its fields. */
  readonly body: never;
  readonly world: World;
}

export interface Command {
  readonly method: "GET" | "POST" | "DELETE";
  readonly parts: readonly string[];
  /** Names of query parameters. */
  readonly query: readonly string[];
  readonly run: (mock: ConsumerMock, input: CommandInput) => unknown;
}

const command =
  (method: Command["method"]) =>
  (path: string, run: Command["run"], query: readonly string[] = []): Command => ({
    method,
    parts: path.split("/"),
    query,
    run,
  });
export const get = command("GET");
export const post = command("POST");
export const remove = command("DELETE");

export const first = ({ path }: CommandInput): string => path[0] ?? "";
export const second = ({ path }: CommandInput): string => path[1] ?? "";
export const provider = (input: CommandInput) => first(input) as SocialProvider;

/** The only field of a body, of a type of `fieldsOf`. The control validates its value. */
export function field(input: CommandInput, name: string, type: Parameters<typeof fieldsOf>[1][string]): never {
  return fieldsOf(input.body, { [name]: type })[name] as never;
}
