import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CallExpression,
  type Expression,
  type Node,
  type ObjectExpression,
  type Program,
  parseSync,
  Visitor,
} from "oxc-parser";

/** A sentence with which the service, a package or a command refuses something or explains a failure, as its source has it. */
export interface Message {
  /** Parts that vary are `…`. */
  readonly text: string;
  /** The code that the source names with it, or null. */
  readonly code: string | null;
  /** The class of the error, such as `UsageError`, or null. */
  readonly error: string | null;
  /** From the folder of its project, with forward slashes. */
  readonly source: string;
}

const OTHERS = ["_generated", "testing", "snippets"].map((folder) => `**/${folder}/**`);
const TESTS = ["**/*.test.ts", "**/*.test.tsx"];
/** The texts of pages that users see, for those who help them. */
const TEXTS = "src/{languages,support/languages}/en.json";

/** The messages in the source of a project. `hasOnlyMessages`: whether each sentence of a file is one. */
export function readMessages(folder: string, hasOnlyMessages: (source: string) => boolean): readonly Message[] {
  const list = (pattern: string) =>
    globSync(pattern, { cwd: folder, exclude: [...OTHERS, ...TESTS] })
      .map((path) => path.replaceAll("\\", "/"))
      .toSorted();
  const read = (source: string) => readFileSync(join(folder, source), "utf8");
  const scripts = list("src/**/*.{ts,tsx}").map((source) => ({
    source,
    program: parseSync(source, read(source)).program,
  }));
  const shared = new Map(
    scripts.flatMap(({ program }) => [...constantsOf(program)].filter(([name]) => /^[A-Z_]+$/.test(name))),
  );
  const texts = list(TEXTS).flatMap((file) =>
    Object.entries(JSON.parse(read(file))).flatMap(([part, values]) =>
      sentencesOf(values).map((text) => ({ text, code: null, error: null, source: `${file}#${part}` })),
    ),
  );
  return [
    ...scripts.flatMap(({ source, program }) => messagesOf(source, program, shared, hasOnlyMessages(source))),
    ...texts,
  ];
}

/** Functions that make a refusal, with its code; null where the first argument is the code. */
const REFUSALS: Readonly<Record<string, string | null>> = {
  refuse: null,
  badUserInput: "BAD_USER_INPUT",
  invalidField: "BAD_USER_INPUT",
  conflict: "CONFLICT",
};
const CODES_OF_CLASSES: Readonly<Record<string, string>> = {
  InvalidInputError: "BAD_USER_INPUT",
  ConflictError: "CONFLICT",
  NotFoundError: "NOT_FOUND",
};
const CODE = /^[A-Z]+(?:_[A-Z]+)+$|^FORBIDDEN$|^CONFLICT$|^UNAUTHENTICATED$/;
/** In place of a value that varies. */
const GAP = "…";
const hasThreeWords = (text: string) => text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length > 2;
/** Entries of the audit log tell what was done. */
const PAST = /^(?:… )?(?:\p{L}+ed|Ran|Reset|Sent|Was) | was used for the first time/u;
type Constants = ReadonlyMap<string, Expression>;

function constantsOf(program: Program): Constants {
  const constants = new Map<string, Expression>();
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === "Identifier" && init !== null) constants.set(id.name, init);
    },
  }).visit(program);
  return constants;
}

function messagesOf(source: string, program: Program, shared: Constants, hasOnlyMessages: boolean): readonly Message[] {
  const found = new Map<string, Message>();
  const constants: Constants = new Map([...shared, ...constantsOf(program)]);
  const add = (node: Node | null | undefined, code: string | null, error: string | null) => {
    for (const text of textsOf(node, constants))
      if (hasThreeWords(text) && !found.has(text)) found.set(text, { text, code, error, source });
  };
  new Visitor({
    NewExpression: ({ callee, arguments: given }) => {
      if (callee.type !== "Identifier" || !callee.name.endsWith("Error")) return;
      for (const argument of given) {
        if (argument.type === "ObjectExpression")
          add(propertyOf(argument, "message"), codeOf(argument, constants), callee.name);
        else add(argument, CODES_OF_CLASSES[callee.name] ?? null, callee.name);
      }
    },
    CallExpression: (call) => {
      if (isRefusal(call)) for (const argument of call.arguments) add(argument, codeOfCall(call), null);
    },
    ObjectExpression: (node) => {
      const code = codeOf(node, constants);
      if (code !== null) add(propertyOf(node, "message"), code, null);
    },
  }).visit(program);
  if (!hasOnlyMessages) return [...found.values()];
  const addSentence = (node: Node, code: string | null) => {
    const isSentence = (text: string) => /^(?:… )?[\p{Lu}`].*[.!?]$|^… .*[.]$/su.test(text) && !PAST.test(text);
    if (textsOf(node, constants).every(isSentence)) add(node, code, null);
  };
  new Visitor({
    Property: ({ key, value }) => {
      if (key.type === "Identifier" && CODE.test(key.name)) addSentence(value, key.name);
    },
  }).visit(program);
  new Visitor({
    Literal: (node) => addSentence(node, null),
    TemplateLiteral: (node) => addSentence(node, null),
  }).visit(program);
  return [...found.values()];
}

function sentencesOf(texts: unknown): readonly string[] {
  if (typeof texts === "string") return hasThreeWords(texts) ? [texts.replaceAll(/\{\w+\}/g, GAP)] : [];
  return Object.values(texts as object).flatMap(sentencesOf);
}

function propertyOf({ properties }: ObjectExpression, name: string): Node | null {
  for (const property of properties)
    if (property.type === "Property" && property.key.type === "Identifier" && property.key.name === name)
      return property.value;
  return null;
}

/** Its own, or that of the refusal whose other members it takes over. */
function codeOf(node: ObjectExpression, constants: Constants): string | null {
  const code = propertyOf(node, "code");
  if (code?.type === "Literal" && typeof code.value === "string" && CODE.test(code.value)) return code.value;
  for (const part of node.properties) {
    if (part.type !== "SpreadElement") continue;
    const taken = part.argument.type === "Identifier" ? constants.get(part.argument.name) : part.argument;
    if (taken?.type === "CallExpression") return codeOfCall(taken);
  }
  return null;
}

function isRefusal({ callee }: CallExpression): boolean {
  return callee.type === "Identifier" && Object.hasOwn(REFUSALS, callee.name);
}

function codeOfCall(call: CallExpression): string | null {
  if (!isRefusal(call) || call.callee.type !== "Identifier") return null;
  const [first] = call.arguments;
  const named = first?.type === "Literal" && CODE.test(String(first.value)) ? String(first.value) : null;
  return REFUSALS[call.callee.name] ?? named;
}

/** The texts that an expression can have: several for a choice, none for a value from elsewhere. */
function textsOf(node: Node | null | undefined, constants: Constants): string[] {
  switch (node?.type) {
    case "Literal":
      return typeof node.value === "string" ? [node.value] : [];
    case "TemplateLiteral":
      return [node.quasis.map(({ value }) => value.cooked ?? value.raw).join(GAP)];
    case "ConditionalExpression":
      return [...textsOf(node.consequent, constants), ...textsOf(node.alternate, constants)];
    case "LogicalExpression":
      return [...textsOf(node.left, constants), ...textsOf(node.right, constants)];
    case "BinaryExpression":
      return textsOf(node.left, constants).flatMap((left) =>
        textsOf(node.right, constants).map((right) => left + right),
      );
    case "Identifier": {
      const value = constants.get(node.name);
      return value === undefined || value.type === "Identifier" ? [] : textsOf(value, constants);
    }
    default:
      return [];
  }
}
