/** The arguments are invalid. */
export class UsageError extends Error {}

/** An input file cannot be read. */
export class NoInputError extends Error {}

/** An output file cannot be written. */
export class NoOutputError extends Error {}

export const HOST_VARIABLE = "SOCIAL_CONNECT_ADMIN_HOST";
export const KEY_VARIABLE = "SOCIAL_CONNECT_ADMIN_KEY";

export const HELP = `social-connect-admin: client applications of Social Connect as code, and the audit log

  clients list                 list all clients
  clients show SLUG|ID         show a client
  clients declare SLUG|ID      print a client as a declaration, as a starting point
  plan -f FILE …               show the changes that reach the declared state, without applying them
  apply -f FILE …              plan, show the plan, and apply it
  apply --plan FILE            apply a plan written by \`plan --out\`
  audit                        show the audit log, newest first

Options
  --json                       JSON instead of a table
  -f, --file FILE …            declarations, YAML or JSON; - is the standard input
  --out FILE                   plan: also write the plan to a file
  --exit-code                  plan: exit with 2 if there are changes
  --yes                        apply: do not prompt
  --allow-destructive          apply: allow destructive steps
  --key ID                     audit: only entries of this admin key. ID is the UUID in the key, not the key itself
  --limit N, --all             audit: number of entries (default: 50), or all
  -h, --help    --version

Environment
  ${HOST_VARIABLE}    the URL of the admin host, for example https://admin.example.com
  ${KEY_VARIABLE}     an admin key; apply requires the scope WRITE

The key is read only from the environment: an argument would be visible in the process list and stored in the history of
the shell.

Exit codes
   0  success; no changes            1  rejected or failed           2  plan --exit-code: changes
   3  client changed: plan again     4  unknown whether applied      5  not started: not confirmed or not allowed
  64  wrong usage                   65  invalid declaration         66  file cannot be read
  69  service unreachable           73  file cannot be written      76  invalid response
  77  authentication or permission  78  host or key not set         130  interrupted
`;
