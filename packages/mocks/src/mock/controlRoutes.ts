import { localRequestProblem, ownHostsAt } from "@social-connect/domain";
import { parseJson } from "@social-connect/transport";
import { fieldsOf } from "../control/fields.ts";
import { type Incoming, jsonReply, type Outcome } from "../http/exchange.ts";
import { MOCK_PATH } from "../state/addresses.ts";
import { MockMisuseError } from "../util/misuse.ts";
import type { World } from "../world/world.ts";
import type { CommandInput } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import type { ConsumerMock } from "./consumerMock.ts";

/** The control API below `/__mock/`: the controls of this process, over HTTP with JSON. */
export async function controlRoutes(
  mock: ConsumerMock,
  world: World,
  request: Incoming,
  path: string,
): Promise<Outcome | null> {
  if (!path.startsWith(`${MOCK_PATH}/`)) return null;
  const { method, headers, url } = request;
  const arrived = { method, hosts: [headers.get("host") ?? url.host], header: (name: string) => headers.get(name) };
  const problem = localRequestProblem(arrived, request.ownHosts ?? ownHostsAt("localhost", mock.origins));
  if (problem !== null) return jsonReply(403, { error: problem });
  const parts = decodedParts(path.slice(MOCK_PATH.length + 1));
  const command = COMMANDS.find((one) => one.method === request.method && matches(one.parts, parts));
  if (command === undefined) {
    const list = COMMANDS.map((one) => `${one.method} ${MOCK_PATH}/${one.parts.join("/")}`);
    return jsonReply(404, { error: `Unknown command. Commands: ${list.join(", ")}.` });
  }
  try {
    const input: CommandInput = {
      path: parts.filter((_, index) => command.parts[index]?.startsWith(":")),
      query: request.url.searchParams,
      body: (await bodyOf(request)) as never,
      world,
    };
    fieldsOf(Object.fromEntries(input.query), Object.fromEntries(command.query.map((name) => [name, "string"])));
    return jsonReply(200, (await command.run(mock, input)) ?? {});
  } catch (error) {
    if (!(error instanceof MockMisuseError)) throw error;
    return jsonReply(400, { error: error.message });
  }
}

/** A part with invalid encoding stays unchanged and matches no id. */
function decodedParts(path: string): string[] {
  return path.split("/").map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  return pattern.length === parts.length && pattern.every((one, index) => one.startsWith(":") || one === parts[index]);
}

async function bodyOf(request: Incoming): Promise<unknown> {
  const text = request.method === "GET" ? "" : await request.text();
  if (text === null) throw new MockMisuseError("The body is not UTF-8.");
  if (text.trim() === "") return {};
  const body = parseJson(text);
  if (body === undefined) throw new MockMisuseError("The body is not valid JSON.");
  return fieldsOf({ body }, { body: "object" }).body;
}
