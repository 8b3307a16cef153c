/**
 * Replaces graphql-js in a bundle. graphql-request would parse and print documents with it, but ours are strings, which it
 * sends unchanged, so none of this is called. Callers therefore install no second copy of graphql.
 */
export const Kind = {};
export const parse = String;
export const print = String;
