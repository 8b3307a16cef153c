import type { WrittenRequest } from "./httpRequest.ts";
import { type Answer, bodyOf } from "./send.ts";

/** A slower response, even when its request is repeated without other load, is a violation. */
export const SLOW_MS = 1_000;
/** Entry points whose answers are of GraphQL. */
const GRAPHQL: readonly string[] = ["consumer", "admin", "panel-graphql"];
const LARGEST_REFUSAL_BYTES = 2_048;
/** A stack, a file of the code, a statement or a tool of the inside. */
const INSIDE =
  /\bat \S+ \((?:[^)]*:\d+\)|<)|node:internal|node_modules|\.[cm]?[jt]s:\d+|\bSELECT\b|\bINSERT INTO\b|prisma|ECONNREFUSED/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What is wrong with an answer; empty when nothing is. How long it took is judged elsewhere. */
export function judgeAnswer(
  entryPoint: string,
  { isWellFormed }: WrittenRequest,
  answer: Answer,
  secrets: readonly string[],
): readonly string[] {
  const problems: string[] = [];
  if (answer.status === null) {
    if (isWellFormed || answer.text !== "") problems.push("no answer");
    return problems;
  }
  if (answer.status >= 500) problems.push(`status ${answer.status}`);
  const inside = INSIDE.exec(answer.text);
  if (inside !== null) problems.push(`the answer shows the inside: ${inside[0]}`);
  if (secrets.some((secret) => answer.text.includes(secret))) problems.push("the answer holds a secret");
  if (GRAPHQL.includes(entryPoint) && isWellFormed) problems.push(...judgeGraphql(answer));
  return problems;
}

function judgeGraphql(answer: Answer): string[] {
  const { status } = answer;
  if (status !== 200 && status !== 400) return [];
  const body = bodyOf(answer);
  if (status === 400 && body === "") return [];
  let parsed: { data?: unknown; errors?: { message?: unknown; extensions?: Record<string, unknown> }[] };
  try {
    parsed = JSON.parse(body);
  } catch {
    return [`an answer with status ${status} that is not JSON`];
  }
  const errors = parsed.errors ?? [];
  if (parsed.data === undefined && errors.length === 0) return ["an answer without data and errors"];
  const problems = errors.flatMap(({ message, extensions }) => {
    const isWhole =
      typeof message === "string" &&
      typeof extensions?.["code"] === "string" &&
      UUID.test(String(extensions["correlationId"]));
    return isWhole ? [] : ["an error without message, code or correlationId"];
  });
  if (status !== 400) return problems;
  if (errors.length !== 1) problems.push(`a refusal with ${errors.length} errors`);
  if (Buffer.byteLength(body) > LARGEST_REFUSAL_BYTES) problems.push(`a refusal of ${Buffer.byteLength(body)} bytes`);
  return problems;
}
