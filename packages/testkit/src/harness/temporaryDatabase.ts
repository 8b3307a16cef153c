export {
  startDurableDatabase,
  startTemporaryDatabase,
} from "../../../../apps/server/src/platform/testing/temporaryDatabase.ts";
