import type { LaunchForm } from "../../context/connections.ts";
import type { Steps } from "../../context/steps.ts";
import type { DefineCase } from "../../harness/defineCase.ts";
import type { Need } from "../../target/target.ts";

type Origin = (origin: string, t: Steps) => string | null | Promise<string>;

/** Origins that are not the application's. */
const FOREIGN_ORIGINS: Readonly<Record<string, Origin>> = {
  foreign: () => "https://evil.example",
  null: () => "null",
  absent: () => null,
  "sub-domain": (origin) => origin.replace("://", "://a."),
  "longer-host": (origin) => `${origin}.evil.example`,
  scheme: (origin) => (origin.startsWith("https") ? origin.replace("https", "http") : origin.replace("http", "https")),
  port: (origin) => `${origin.replace(/:\d+$/, "")}:8443`,
  "with-path": (origin) => `${origin}/`,
  "upper-case": (origin) => origin.toUpperCase(),
};
const OF_ANOTHER: Origin = async (_, t) => (await t.anotherApplication()).webOrigin;

export function launchOriginCases(
  test: DefineCase,
  kind: "attempt" | "identity",
  another: string,
  create: (t: Steps) => Promise<LaunchForm>,
  needs: readonly Need[] = [],
): void {
  for (const [name, write] of Object.entries({ ...FOREIGN_ORIGINS, [another]: OF_ANOTHER }))
    test(`S3.${kind}.launch-origin-${name}: A launch form from an origin that is not the application's (${name}) is refused, and the token stays valid.`, async (t) => {
      const form = await create(t);
      const origin = await write(t.application.webOrigin, t);
      t.errorPage(await t.postLaunch(form, { origin }), [400, 403], name);
      t.equal((await t.postLaunch(form)).status, 303, "the application's own origin is accepted");
    }).with({ needs: name === another ? [...needs, "operator"] : needs });
}
