import { hostNameOf, localHostProblem, type OwnHosts } from "@social-connect/domain";
import { MockMisuseError } from "../util/misuse.ts";
import { jsonReply, type Reply } from "./exchange.ts";

/** Rejects a request to a name that is not the server's own, on every path: the default key of a mock is public. */
export function hostRefusal(hosts: readonly string[], own: OwnHosts): Reply | null {
  const problem = localHostProblem(hosts, own);
  const remedy = "Use a name of its machine, or allow this one with --allowed-host or allowedHosts.";
  return problem === null ? null : jsonReply(403, { error: `${problem} ${remedy}` });
}

/** Throws a MockMisuseError unless the text is a host name without a port. */
export function checkHostName(text: string): string {
  const name = hostNameOf(text);
  // Without a port, `host` and `hostname` are the same.
  if (name !== null && !/:\d+$/.test(text.replace(/^\[.*\]/, ""))) return name;
  throw new MockMisuseError(
    `${JSON.stringify(text)} is not a host name. Use the form mock.example.test, without a port.`,
  );
}
