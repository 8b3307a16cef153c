/** Health checks: they need no key, so nothing else would cache them. The last is the SDK's. */
export const COMMON_TEXTS = [
  "{ __typename }",
  "query { __typename }",
  "{ status { ok } }",
  "{ status { ok message } }",
  "query { status { ok } }",
  "query { status { ok message } }",
  "query Status { status { ok message } }",
  "\n    query Status {\n  status {\n    message\n    ok\n  }\n}\n    ",
];
