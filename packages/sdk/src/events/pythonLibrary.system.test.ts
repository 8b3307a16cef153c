import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { deliveryFor, FORGED, GENUINE } from "../testing/forgeries.ts";

/** The official library for Python. PYTHONPATH may name its folder. */
const NEEDED = "python3 with the package standardwebhooks";
const isMissing = python("import standardwebhooks", "").status !== 0;
if (isMissing) console.warn(`pythonLibrary.system.test.ts WAS NOT RUN. It needs ${NEEDED}.`);

const VERIFY = `
import base64, json, sys
from standardwebhooks import Webhook
def accepts(case):
    try:
        Webhook(case["secret"]).verify(base64.b64decode(case["body"]), case["headers"])
        return True
    except Exception:
        return False
print(json.dumps([accepts(case) for case in json.load(sys.stdin)]))
`;
/** It compares the bytes of signatures, and reads base64 leniently. */
const LAXER = ["a signature with more padding", "a signature in other letters for the same bytes"];

test.skipIf(isMissing)(
  `the official library for Python accepts each delivery and refuses forgeries, except ${LAXER.join(" and ")}${isMissing ? ` (NOT RUN: needs ${NEEDED})` : ""}`,
  () => {
    const forged = Object.fromEntries(Object.entries(FORGED).map(([name, [, given]]) => [name, given]));
    const cases = Object.entries({ ...GENUINE, ...forged });
    const input = cases.map(([, given]) => {
      const { body, ...rest } = deliveryFor(given);
      return { ...rest, body: Buffer.from(body).toString("base64") };
    });
    const { stdout, stderr } = python(VERIFY, JSON.stringify(input));
    expect(stderr).toBe("");
    const answers: readonly boolean[] = JSON.parse(stdout);
    const accepted = cases.flatMap(([name], index) => (answers[index] ? [name] : []));
    expect(accepted).toEqual([...Object.keys(GENUINE), ...LAXER]);
  },
);

function python(program: string, input: string) {
  return spawnSync("python3", ["-c", program], { input, encoding: "utf8", timeout: 60_000 });
}
