import { expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { recordingLogger } from "../../platform/testing/recordingLogger.ts";
import { connection, service, useConnectionPerTest } from "../testing/fixtures.ts";
import { advanceDeletion } from "./advanceDeletion.ts";

useConnectionPerTest();

test("a connection that is erased just before its disconnect counts as erased, without an error", async () => {
  const { id, applicationId, provider } = connection;
  const deletion = await service.prisma.dataDeletion.create({
    data: {
      ...{ id: newId(), codeHash: Buffer.from(newId()), provider, requestedAt: service.clock.current },
      ...{ unfinished: [{ id, applicationId }] },
    },
  });
  const { logger, lines } = recordingLogger("warn");
  const clock = Object.create(service.clock, {
    // The disconnect asks for the time when it has found the connection.
    now: {
      value: async () => {
        await service.prisma.connection.deleteMany({ where: { id } });
        return service.clock.current;
      },
    },
  });
  await advanceDeletion({ ...service, clock, logger }, deletion.id);
  expect(lines).toEqual([]);
  const stored = await service.prisma.dataDeletion.findUniqueOrThrow({ where: { id: deletion.id } });
  expect(stored).toMatchObject({ connections: 1, unfinished: [], finishedAt: service.clock.current });
});
