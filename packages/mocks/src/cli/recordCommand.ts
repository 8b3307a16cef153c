import { parseArgs } from "node:util";
import { CONSUMER_PATHS, printableJson } from "@social-connect/contract";
import { localRequestProblem, messageOf } from "@social-connect/domain";
import { networkMessage } from "@social-connect/sdk-core/transportError";
import { type Incoming, jsonReply, type Outcome } from "../http/exchange.ts";
import { serveOverHttp } from "../node/nodeServer.ts";
import { DEFAULT_HOST } from "../node/serve.ts";
import { replacePrivateFile } from "../node/stateFile.ts";
import { Recorder } from "../recording/recorder.ts";
import { type Recording, readRecording } from "../recording/recording.ts";
import { replayRecording, replayText } from "../recording/replay.ts";
import { MockMisuseError } from "../util/misuse.ts";
import { serviceUrl } from "../util/serviceUrl.ts";
import { type CommandIo, explainListening, portOf, UsageError } from "./commandIo.ts";

export const RECORD_USAGE = `record    passes requests on to a sandbox and records them without keys, tokens and other strings, until it is interrupted
  --url URL             base URL of the sandbox; by default SOCIAL_CONNECT_URL
  --out PATH            the recording; recording.json by default
  --port N              4011 by default; 0 selects a free port
  --json                prints the address as one line of JSON

replay    compares the mocks with a recording
  --recording PATH      recording.json by default
  --json                prints one line of JSON
  Exits with 0 without differences, with 1 for differences, and with 2 when the recording cannot be used`;

const DEFAULT_PATH = "recording.json";
/** Hop-by-hop headers, headers that `fetch` sets itself, and cookies, which no API request needs. */
const FORWARDED = ["accept", "authorization", "content-type", "user-agent"];

export async function record(args: readonly string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: "string" },
      out: { type: "string", default: DEFAULT_PATH },
      port: { type: "string", default: "4011" },
      json: { type: "boolean" },
    },
  });
  const target = targetOf(values.url ?? io.environment["SOCIAL_CONNECT_URL"]);
  const port = portOf(values.port);
  const recorder = new Recorder();
  const save = () => saveRecording(values.out, recorder.recording());
  let baseUrl = "";
  const server = await serveOverHttp({ port, host: DEFAULT_HOST }, (address) => {
    baseUrl = address;
    const failed = (error: unknown) => {
      io.warn(networkMessage(error, target) ?? messageOf(error));
      return "dropped" as const;
    };
    return { answer: (request) => passOn(recorder, target, request).catch(failed) };
  }).catch((error: unknown) => {
    throw new Error(explainListening(error, port, DEFAULT_HOST), { cause: error });
  });
  try {
    // A path that cannot be written must not cost a recording, nor a used port an earlier one.
    await save();
  } catch (error) {
    await server.close();
    throw error;
  }
  io.print(
    values.json
      ? printableJson({ baseUrl, out: values.out }, 0)
      : `Recording ${target} at ${baseUrl}\nUse this address as the base URL of your application, with the key of the sandbox.`,
  );
  await io.untilStopped();
  await server.close();
  await save();
  if (!values.json) io.print(`Recorded ${recorder.count} requests in ${values.out}`);
  return 0;
}

export async function replay(args: readonly string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { recording: { type: "string", default: DEFAULT_PATH }, json: { type: "boolean" } },
  });
  const report = await replayRecording(await readRecording(values.recording));
  io.print(values.json ? printableJson(report, 0) : replayText(report));
  return report.hasDrift ? 1 : 0;
}

function targetOf(url: string | undefined): string {
  if (!url) throw new UsageError("Pass the sandbox with --url or SOCIAL_CONNECT_URL.");
  return serviceUrl(url, "--url", (problem) => new UsageError(problem));
}

async function passOn(recorder: Recorder, target: string, request: Incoming): Promise<Outcome> {
  const { method, headers } = request;
  const path = request.url.pathname;
  const hosts = [headers.get("host") ?? ""];
  const problem = localRequestProblem({ method, hosts, header: (name) => headers.get(name) });
  if (problem !== null) return jsonReply(403, { error: problem });
  const isKnown =
    (method === "POST" && path === CONSUMER_PATHS.graphql) || (method === "GET" && path === CONSUMER_PATHS.schema);
  if (!isKnown)
    return jsonReply(404, { error: `Only ${CONSUMER_PATHS.graphql} and ${CONSUMER_PATHS.schema} are passed on.` });
  const kept = FORWARDED.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const body = method === "POST" ? await request.text() : null;
  // A redirect target must not receive the key.
  const response = await recorder.fetch(target + path, { method, headers: kept, body, redirect: "manual" });
  const type = response.headers.get("content-type");
  return {
    status: response.status,
    headers: type === null ? [] : [["content-type", type]],
    body: await response.text(),
  };
}

/** Only the owner may read it, as it shows how the application works. */
async function saveRecording(path: string, recording: Recording): Promise<void> {
  await replacePrivateFile(path, `${JSON.stringify(recording, null, 2)}\n`).catch((error: NodeJS.ErrnoException) => {
    throw new MockMisuseError(
      `The recording ${path} cannot be written (${error.code}). Check that its folder exists and is writable.`,
    );
  });
}
