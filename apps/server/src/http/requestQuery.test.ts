import type { Context } from "hono";
import { expect, test } from "vitest";
import { requestQuery } from "./requestQuery.ts";

test.each([
  ["http://localhost/a?code=1&code=2&state=%20x", ["1", "2"]],
  ["http://localhost/a", []],
  ["http://a:99999/a?code=1", ["1"]],
  ["http://999.1.1.1/a?code=1#code=2", ["1"]],
  ["http://xn--/a?code=%ff", ["\ufffd"]],
])("reads the parameters of %s, with any host", (url, codes) => {
  expect(requestQuery({ req: { url } } as Context).getAll("code")).toEqual(codes);
});
