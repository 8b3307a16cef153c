/** Words that people type for the subject of a page, and that its text does not have, or has only in passing. */
export const SEARCH_WORDS: Readonly<Record<string, string>> = {
  "explanation/admin-access": "csrf token panel session",
  "explanation/credentials": "access token refresh oauth tokens storage",
  "explanation/time-and-scans": "clock skew time zone timezone utc drift",
  "how-to/admin-as-code": "yaml github actions terraform pulumi automation automate ci pipeline gitops script",
  "how-to/admin-panel": "dashboard console audit log ui create client preview deployments vercel netlify trail",
  "how-to/background-jobs": "job queue cron cronjob scheduler schedule worker import batch bullmq",
  "how-to/branding":
    "dark mode localization internationalization theme theming colors white label whitelabel css languages i18n translate logo translations",
  "how-to/connect-an-account":
    "redirect url denied cancelled canceled launch token oauth flow link account connect button callback return url popup blocked csrf state back consent screen cookie iframe attempt expired deadline",
  "how-to/detect-drift": "contract test pact",
  "how-to/disconnect": "unlink remove account revoke access delete connection",
  "how-to/express": "helmet middleware",
  "how-to/fastify": "plugin",
  "how-to/go-live": "production checklist launch release",
  "how-to/identity-handoff": "social login sso single sign on authentication user",
  "how-to/keep-content-fresh":
    "sync status refresh button time window update cache stale outdated posts interval how often updated shorts backfill history old import",
  "how-to/live-instagram": "facebook meta app review business login graph api",
  "how-to/live-tiktok": "app review kit",
  "how-to/live-youtube":
    "google oauth verification unverified app not verified consent screen quota exceeded redirect uri mismatch invalid access blocked brand account",
  "how-to/logs-and-traces": "sentry datadog tracing monitoring debug debugging logging instrumentation correlation id",
  "how-to/nestjs": "nest dependency injection module guard",
  "how-to/nextjs": "next app router server actions components middleware",
  "how-to/openid-provider": "oidc admin login issuer mfa 2fa two factor sso for admins",
  "how-to/other-languages":
    "go golang java kotlin ruby rails c# csharp dotnet .net rust elixir perl php laravel symfony django flask python curl postman http rest api fastapi spring boot pytest",
  "how-to/own-documents": "schema types graphql codegen custom query fields fragments typed document",
  "how-to/reconnect":
    "invalid_grant invalid grant token expired reauthorize reauthenticate session permission revoked consent wrong account mismatch",
  "how-to/replace-polling": "job status wait for result progress status long polling poll interval",
  "how-to/rotate-keys": "api key rotation secret leaked compromised renew create new",
  "how-to/show-posts":
    "stats impressions engagement duration captions hashtags avatar handle partial incomplete list videos reels feed views likes statistics analytics insights cursor next page paginate thumbnail expired number format infinite scroll metrics null incomplete missing",
  "how-to/single-page-application":
    "react vue angular svelte solid vite frontend front end browser javascript csp content security policy ajax nuxt remix",
  "how-to/test-with-mocks": "mock server mocking msw stub fake ci continuous integration unit test cypress mocha bun",
  "how-to/test-your-application": "fake sandbox mode tester test account user simulate simulator e2e end to",
  "operations/admins": "roles rbac add admin first invite member restrict panel access vpn",
  "operations/backup": "disaster recovery snapshot dump pitr wal",
  "operations/database":
    "postgresql rds aurora cloud sql pool pooling ssl connection string pgbouncer too many connections mysql sqlite mariadb supabase neon",
  "operations/deployment":
    "k8s container image docker install production hosting aws azure gcp heroku fly https ssl certificate custom domain reverse proxy traefik caddy nginx load balancer ingress firewall egress allowlist whitelist ip addresses self signed requirements",
  "operations/encryption-keys": "lost key kms vault hsm encryption at rest secrets manager",
  "operations/logs": "log format level verbose json stdout",
  "operations/metrics": "grafana dashboard alerts alerting alertmanager monitoring",
  "operations/personal-data":
    "gdpr ccpa dsgvo right to be forgotten of access data retention export user subject request erase delete dpa",
  "operations/provider-messages": "signature deauthorize callback data deletion request",
  "operations/runbooks/wrong-encryption-key": "decryption failed cannot decrypt",
  "operations/running": "crash restart health check healthcheck readiness liveness probe graceful shutdown sigterm pm2",
  "operations/scaling":
    "cluster read replica scale throughput high availability ha replicas performance capacity memory cpu horizontal autoscaling sizing requirements",
  "operations/security-log": "siem intrusion brute force",
  "operations/traces": "jaeger otel opentelemetry collector tempo zipkin honeycomb",
  "operations/upgrades":
    "canary release notes migrate migration failed version update downgrade zero downtime rolling node",
  "reference/codes-and-limits": "status codes result limits user denied not a tester 90 days 30 quota size maximum",
  "reference/deprecation-and-support":
    "mac node version bun deno cloudflare workers lambda serverless edge runtime windows macos browser compatibility breaking changes semver versioning lts",
  "reference/errors/": "error handling error codes graphql errors exceptions",
  "reference/errors/AUTHORIZATION_SUSPENDED": "account suspended paused",
  "reference/errors/BAD_USER_INPUT": "400 bad request invalid input validation",
  "reference/errors/CAPABILITY_UNAVAILABLE": "insufficient permissions missing scope",
  "reference/errors/CONFLICT": "409",
  "reference/errors/FORBIDDEN": "403 permission denied access not allowed",
  "reference/errors/NOT_FOUND": "404",
  "reference/errors/RATE_LIMITED": "429 too many requests throttle throttling",
  "reference/errors/UNAUTHENTICATED": "401 unauthorized invalid api key wrong bearer authorization header",
  "reference/errors/UPSTREAM_UNAVAILABLE": "500 502 503 internal server error outage",
  "reference/faq":
    "threads spotify pinterest snapchat license licence price pricing cost free open source followers subscribers publish upload comments facebook twitter linkedin mobile app ios android react native flutter webview multiple accounts several self hosted redis helm cors logout webhooks sse realtime real time live updates hashtags posts missing",
  "reference/glossary": "terminology definitions tenant multi workspace",
  "reference/graphql/consumer": "schema introspection playground graphiql sdl",
  "reference/openid-providers":
    "saml ldap okta auth0 keycloak entra id azure ad google login cognito ping onelogin workspace pkce userinfo jwks email verified",
  "reference/providers": "platforms supported social networks youtube tiktok instagram limitations",
  "reference/retries":
    "circuit breaker duplicate requests twice timeout timed out econnrefused econnreset network error backoff idempotent idempotency err_ssl tls connection refused enotfound dns",
  "reference/settings": "env environment variables config configuration options port already use eaddrinuse",
  "security/": "soc2 iso27001 compliance security",
  "security/reporting": "vulnerability disclosure bug bounty pentest cve",
  "tutorials/quick-start": "getting started install installation localhost local setup run locally",
  "tutorials/your-own-app": "template boilerplate starter scaffold create app example project hello world",
};

/** The words of a page, given the id of its first section: its address, with an anchor. */
export function searchWordsOf(id: string): string {
  const [path = ""] = id.split("#");
  const found = Object.entries(SEARCH_WORDS).find(([route]) => path.endsWith(`/${fileOf(route)}`));
  return found?.[1] ?? "";
}

/** The first page of a folder has no name. */
function fileOf(route: string): string {
  return route.endsWith("/") ? route : `${route}.html`;
}
