import type { SubjectScope } from "@social-connect/domain";
import { beforeEach, describe, expect, test } from "vitest";
import { query, server, useServer } from "../../http/testing/testServer.ts";
import { createApplication, issueKey, type TestApplication } from "../../modules/testing/builders.ts";
import { service } from "../../modules/testing/fixtures.ts";

useServer();

const NOBODY = "00000000-0000-4000-8000-000000000000";
const CONNECTION = "query($scope: SubjectScope!, $id: ID!) { connection(scope: $scope, id: $id) { id } }";
const LISTED = "query($scope: SubjectScope!) { connections(scope: $scope) { items { id } } }";

let application: TestApplication;
let applications = 0;
beforeEach(async () => {
  application = await createApplication(service, `returning-${++applications}`);
  // Its key is known to the process after this call.
  expect(await codeOf(LISTED)).toBeNull();
});

async function codeOf(text: string, more: object = {}, key = application.key): Promise<string | null> {
  return ((await query(server, key, text, { scope: application.scope, ...more })).code ?? null) as string | null;
}

function change(data: object) {
  return service.prisma.applicationKey.update({ where: { id: application.key.split(".")[0] ?? "" }, data });
}

/** Calls that end in different places: with a result, before their statement, and with invalid arguments. */
const CALLS: readonly (readonly [string, string, object, string | null])[] = [
  ["a read", LISTED, {}, null],
  ["a read of an unknown connection", CONNECTION, { id: NOBODY }, "NOT_FOUND"],
  ["a read that needs no statement", CONNECTION, { id: "no id" }, "NOT_FOUND"],
  ["an invalid argument", LISTED, { scope: { tenantKey: "", externalSubjectId: "user" } }, "BAD_USER_INPUT"],
  ["an invalid variable", LISTED, { scope: "no scope" }, "BAD_USER_INPUT"],
  ["an invalid cursor", LISTED.replace("scope: $scope)", 'scope: $scope, after: "x")'), {}, "BAD_USER_INPUT"],
  ["another tenant", LISTED, { scope: { tenantKey: "another", externalSubjectId: "user" } }, "FORBIDDEN"],
  ["a skipped read", LISTED.replace("connections(scope: $scope)", "$& @skip(if: true)"), {}, null],
  ["two reads", LISTED.replace("connections", "__typename connections"), {}, null],
];

describe.each(CALLS)("a key of an earlier call, for %s", (_, text, variables, code) => {
  test("is valid again", async () => {
    expect(await codeOf(text, variables)).toBe(code);
  });

  test("is UNAUTHENTICATED once revoked or expired, and valid again when it is not", async () => {
    const now = service.clock.current;
    for (const ended of [{ revokedAt: now }, { expiresAt: now }]) {
      await change(ended);
      expect(await codeOf(text, variables)).toBe("UNAUTHENTICATED");
      expect(await codeOf(text, variables)).toBe("UNAUTHENTICATED");
      await change({ revokedAt: null, expiresAt: null });
      expect(await codeOf(text, variables)).toBe(code);
    }
  });

  test("is UNAUTHENTICATED with another secret", async () => {
    const wrong = `${application.key.slice(0, -64)}${"0".repeat(64)}`;
    expect(await codeOf(text, variables, wrong)).toBe("UNAUTHENTICATED");
  });

  test("is FORBIDDEN once its application is disabled", async () => {
    await service.prisma.application.update({ where: { id: application.id }, data: { enabled: false } });
    expect(await codeOf(text, variables)).toBe("FORBIDDEN");
  });
});

test("a refused read has no data and no path", async () => {
  await change({ revokedAt: service.clock.current });
  const { text } = await query(server, application.key, LISTED, { scope: application.scope });
  const body = JSON.parse(text);
  expect(body).toMatchObject({ data: null, errors: [{ extensions: { code: "UNAUTHENTICATED" } }] });
  expect(body.errors[0]).not.toHaveProperty("path");
});

test("a key of one application reads no data of another", async () => {
  const other: SubjectScope = { ...application.scope, externalSubjectId: "someone" };
  const stranger = await createApplication(service, "stranger");
  const key = await issueKey(service, stranger.id);
  for (let call = 0; call < 2; call += 1)
    expect(await codeOf(CONNECTION, { scope: other, id: NOBODY }, key)).toBe("NOT_FOUND");
});

test("a read records the use of its key once a minute", async () => {
  const lastUse = async () => {
    const key = await service.prisma.applicationKey.findUniqueOrThrow({
      where: { id: application.key.split(".")[0] ?? "" },
    });
    return key.lastUsedAt?.getTime();
  };
  const first = service.clock.current.getTime();
  await expect.poll(lastUse).toBe(first);
  service.clock.advance(59_000);
  expect(await codeOf(LISTED)).toBeNull();
  service.clock.advance(2_000);
  expect(await codeOf(LISTED)).toBeNull();
  await expect.poll(lastUse).toBe(first + 61_000);
});
