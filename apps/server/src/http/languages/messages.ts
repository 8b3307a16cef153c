import { DE } from "./de.ts";
import { EN } from "./en.ts";
import { ES } from "./es.ts";
import type { PluralText, Text } from "./format.ts";
import { FR } from "./fr.ts";
import { IT } from "./it.ts";
import { JA } from "./ja.ts";
import type { Language } from "./locale.ts";
import { PT } from "./pt.ts";

export interface ErrorText {
  readonly title: Text;
  readonly happened: Text;
  readonly whatToDo: Text;
}

export type ErrorName = keyof typeof EN.errors;

/** All strings of a language. */
export interface Messages {
  readonly errors: Readonly<Record<ErrorName, ErrorText>>;
  readonly back: Text;
  readonly service: Text;
  readonly support: Text;
  readonly privacy: Text;
  readonly pane: {
    readonly [Key in keyof typeof EN.pane]: (typeof EN.pane)[Key] extends string
      ? Text
      : Key extends "capabilities"
        ? Readonly<Record<keyof typeof EN.pane.capabilities, Text>>
        : PluralText;
  };
  readonly deletion: {
    readonly [Key in keyof typeof EN.deletion]: (typeof EN.deletion)[Key] extends string ? Text : PluralText;
  };
}

export const MESSAGES: Readonly<Record<Language, Messages>> = {
  en: EN,
  de: DE,
  fr: FR,
  es: ES,
  pt: PT,
  it: IT,
  ja: JA,
};
