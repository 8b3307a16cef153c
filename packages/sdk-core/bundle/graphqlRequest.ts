import { readFile } from "node:fs/promises";
import type { Options } from "tsup";

/** What graphql-request does with a string when it leaves out the operation's name: it parses nothing. */
const ANALYZE = `export const analyzeDocument = (expression) => ({ expression, isMutation: false, operationName: undefined });`;
const METHOD = /^ {4}(?:async )?(\w+)\([\s\S]*?^ {4}\}\n/gm;

/**
 * Leaves out what is never called of graphql-request: the parts that need a parsed document, and all methods of its client but
 * `rawRequest`, which is a property. A bundler keeps every method of a class: 500 bytes of gzip.
 */
export const usedGraphqlRequest: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "used parts of graphql-request",
  setup: ({ onLoad }) => {
    onLoad({ filter: /graphql-request\/build\/legacy\/helpers\/analyzeDocument\.js$/ }, () => ({ contents: ANALYZE }));
    onLoad({ filter: /graphql-request\/build\/legacy\/classes\/GraphQLClient\.js$/ }, async ({ path }) => {
      const client = await readFile(path, "utf8");
      const contents = client.replaceAll(METHOD, (method, name) => (name === "constructor" ? method : ""));
      if (!contents.includes("rawRequest = async")) throw new Error("graphql-request's client has another form.");
      return { contents };
    });
  },
};
