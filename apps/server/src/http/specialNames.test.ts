import { beforeAll, expect, test } from "vitest";
import { createAdminMember, createApiKey } from "../modules/testing/admins.ts";
import { createApplication } from "../modules/testing/builders.ts";
import { service } from "../modules/testing/fixtures.ts";
import { adminQuery, type PanelUser, server, signInToPanel, useAdminServer } from "./testing/adminServer.ts";
import { query } from "./testing/testServer.ts";

useAdminServer();

const NAMES = ["constructor", "toString", "__proto__", "valueOf", "hasOwnProperty", "then", "toJSON", "ordinary"];
/** Documents are compiled at their eighth run. */
const RUNS = 10;
type Send = (text: string, variables: Record<string, unknown>) => Promise<{ readonly data: unknown }>;

let appKey: string;
let adminKey: string;
let panel: PanelUser;

beforeAll(async () => {
  appKey = (await createApplication(service)).key;
  const member = await createAdminMember(service);
  adminKey = (await createApiKey(service, member, "READ")).key;
  panel = await signInToPanel(server, member);
});

const APIS: Readonly<Record<string, Send>> = {
  "the consumer API": (text, variables) => query(server, appKey, text, variables),
  "the admin API": (text, variables) => adminQuery(server, adminKey, text, variables),
  "the panel": (text, variables) => panel.query(text, variables),
};
const EACH = Object.keys(APIS).flatMap((api) => NAMES.map((name) => ({ api, name })));

test.each(EACH)(
  "$api answers a document that uses the name $name, before and after it is compiled",
  async ({ api, name }) => {
    const field = api === "the consumer API" ? "status { ok }" : "deploymentName: __typename";
    const text = `query ${name}($${name}: Boolean = false) { ...${name} ${name}: __typename @skip(if: $${name}) } fragment ${name} on Query { ${field} }`;
    for (let run = 1; run <= RUNS; run += 1) {
      for (const variables of [{}, { [name]: false }, { [name]: true }]) {
        const isShown = variables[name] !== true || !Object.hasOwn(variables, name);
        const { data } = (await APIS[api]?.(text, variables)) ?? {};
        expect([run, JSON.stringify(data).includes(`"${name}":"Query"`)]).toEqual([run, isShown]);
      }
    }
  },
);
