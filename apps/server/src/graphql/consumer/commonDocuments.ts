/** Health checks need no key, so they would not be cached otherwise. The last two are the SDK's. */
export const COMMON_DOCUMENTS = [
  "{ __typename }",
  "query { __typename }",
  "{ status { ok } }",
  "{ status { ok message } }",
  "query { status { ok } }",
  "query { status { ok message } }",
  "query Status { status { ok message } }",
  "query Status{status{message ok}}",
  "\n    query Status {\n  status {\n    message\n    ok\n  }\n}\n    ",
];
