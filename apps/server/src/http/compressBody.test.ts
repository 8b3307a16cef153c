import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { compressBody } from "./compressBody.ts";

const LIST = JSON.stringify(Array.from({ length: 50 }, (_, i) => ({ slug: `client-${i}`, name: "A client’s name" })));

test("compresses a list for a browser that accepts Brotli", async () => {
  const { body, headers } = await compressBody(LIST, "gzip, br");
  expect(brotliDecompressSync(body).toString()).toBe(LIST);
  expect(headers).toEqual({
    vary: "accept-encoding",
    "content-encoding": "br",
    "content-length": String(body.length),
  });
  expect(body.length).toBeLessThan(LIST.length / 5);
});

test.each([
  ["a caller that does not accept it", LIST, "gzip"],
  ["a short response, such as one with a secret", '{"data":{"key":"scadm_0"}}', "br"],
])("does not compress for %s", async (_case, text, acceptEncoding) => {
  expect(await compressBody(text, acceptEncoding)).toEqual({ body: text, headers: { vary: "accept-encoding" } });
});
