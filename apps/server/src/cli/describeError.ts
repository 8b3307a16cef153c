import { databaseFault } from "../platform/database/databaseFault.ts";

/** What to do about faults of a database that can be reached, by SQLSTATE. */
const REMEDIES: Readonly<Record<string, string>> = {
  "42501": "Use the runtime role of `social-connect roles`, or the owner of the tables.",
  "25006": "It accepts no changes, as a standby does. Set DATABASE_URL to the primary.",
  "57014": "The statement was canceled, for example because it took too long. Try again.",
  "55P03": "Another transaction holds a lock. Try again.",
  "42P01": "Run `social-connect migrate`, and check that DATABASE_URL names the database of the service.",
  "42703": "Run `social-connect migrate` with this version.",
  "53200": "The server has no memory left. Try again.",
  "57P01": "The server stopped or the session was ended. Try again.",
  "57P03": "The server is starting, stopping or recovering. Try again.",
  "53100": "Its disk is full. Free space, then try again.",
};

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "or its folder does not exist",
  ENOTDIR: "is below a file, not a folder",
  EISDIR: "is a folder",
  EEXIST: "exists already; choose another name",
  EACCES: "may not be used by the user of this process",
  EROFS: "is on a file system that cannot be written",
  ELOOP: "is a symbolic link; name a file",
  ENOSPC: "cannot be written, because the disk is full",
};

/** Errors of a connection that a command lost or could not open after its start. */
const NETWORK_PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was closed",
  EPIPE: "the connection was closed",
  ENOTFOUND: "the host is unknown",
  EAI_AGAIN: "the host name could not be resolved",
  ETIMEDOUT: "there is no response",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the host cannot be reached",
};

/** The message of a failed command, in one line. */
export function describeError(error: Error): string {
  const { code = "", path } = error as NodeJS.ErrnoException;
  if (path !== undefined && code in FILE_PROBLEMS) return `${path} ${FILE_PROBLEMS[code]}`;
  if (code in NETWORK_PROBLEMS) {
    return `${error.message || code}: ${NETWORK_PROBLEMS[code]}. Run \`social-connect doctor\`, which checks each address of the settings.`;
  }
  // Prisma's code of a transaction that was open for too long.
  if (code === "P2028") return "the database took too long, which happens while the machine is busy; try again";
  const fault = databaseFault(error);
  if (fault === null) return lastLine(error.message);
  const remedy = REMEDIES[fault.state];
  return `the database reports an error (${fault.state}): ${fault.message}${remedy === undefined ? "" : `. ${remedy}`}`;
}

/** Prisma's messages begin with the call and an empty line. */
function lastLine(message: string): string {
  return /^\s*Invalid `/.test(message) ? (message.trim().split("\n").at(-1) ?? message) : message;
}
