import { stripTypeScriptTypes } from "node:module";

/** Takes the types off, as Node itself does, and leaves every line where it is. */
export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
};
