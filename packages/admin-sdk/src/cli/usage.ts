/** The command was called in a way that it does not know. */
export class UsageError extends Error {}

/** A file that was named cannot be read. */
export class NoInputError extends Error {}

/** A file that was named cannot be written. */
export class NoOutputError extends Error {}

export const HOST_VARIABLE = "SOCIAL_CONNECT_ADMIN_HOST";
export const KEY_VARIABLE = "SOCIAL_CONNECT_ADMIN_KEY";

export const HELP = `social-connect-admin: client applications of Social Connect as code, and the audit log

  clients list                 the clients
  clients show SLUG|ID         one client
  clients declare SLUG|ID      one client as a declaration, to begin with
  plan -f FILE …               what it takes to bring clients to their declared state; changes nothing
  apply -f FILE …              plans, shows the plan, and does it
  apply --plan FILE            does a plan that \`plan --out\` wrote
  audit                        what was done, the newest first

Options
  --json                       JSON instead of a table
  -f, --file FILE …            declarations, YAML or JSON; - is the standard input
  --out FILE                   plan: write the plan to a file, too
  --exit-code                  plan: end with 2 when there is something to change
  --yes                        apply: do not ask
  --allow-destructive          apply: allow the steps that remove something
  --key ID                     audit: what was done with the key of this id. The UUID in a key, never the key
  --limit N, --all             audit: so many entries (50 by default), or all of them
  -h, --help    --version

Environment
  ${HOST_VARIABLE}    the address of the admin host, for example https://admin.example.com
  ${KEY_VARIABLE}     an admin key; READ is enough for all but apply

The key is read only from the environment: an argument would be visible in the process list and stored in the history of
the shell.

Exit codes
   0  done; nothing to change        1  refused or failed            2  plan --exit-code: something to change
   3  client changed: plan again     4  unknown whether applied      5  not started: confirm, allow, or see the obstacle
  64  wrong usage                   65  invalid declaration         66  file cannot be read
  69  service unreachable           73  file cannot be written      76  invalid response
  77  authentication or permission  78  host or key not set         130  interrupted
`;
