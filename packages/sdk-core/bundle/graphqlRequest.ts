import type { Options } from "tsup";

/** What graphql-request does with a string when it leaves out the operation's name: it parses nothing. */
const ANALYZE = `export const analyzeDocument = (expression) => ({ expression, isMutation: false, operationName: undefined });`;

/** Leaves out the parts of graphql-request that need a parsed document. Our documents are strings. */
export const graphqlRequestOfStrings: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "graphql-request of strings",
  setup: ({ onLoad }) => {
    onLoad({ filter: /graphql-request\/build\/legacy\/helpers\/analyzeDocument\.js$/ }, () => ({ contents: ANALYZE }));
  },
};
