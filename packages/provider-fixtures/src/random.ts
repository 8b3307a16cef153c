/** The state of a generator: four words of 32 bits, so a snapshot restores it exactly. */
export type RandomState = [number, number, number, number];

/** A deterministic random number generator. */
export interface Random {
  word(): number;
  /** In [0, 1). */
  fraction(): number;
  /** An integer from `min` to `max`, both inclusive. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<Value>(list: readonly Value[]): Value;
}

export function seedOf(text: string): RandomState {
  const state: RandomState = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0xdeadbeef ^ text.length];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    for (let lane = 0; lane < 4; lane += 1) {
      const at = lane as 0 | 1 | 2 | 3;
      state[at] = mix(state[at] ^ Math.imul(code + lane, 0x85ebca6b));
    }
    state[index % 4] = mix((state[index % 4] ?? 0) + (state[(index + 1) % 4] ?? 0));
  }
  const random = randomOf(state);
  for (let round = 0; round < 12; round += 1) random.word();
  return state;
}

/** A generator that reads and updates `state`, by the sfc32 algorithm. */
export function randomOf(state: RandomState): Random {
  const word = (): number => {
    const [a, b, c, counter] = state;
    const sum = (a + b + counter) | 0;
    state[3] = (counter + 1) | 0;
    state[0] = b ^ (b >>> 9);
    state[1] = (c + (c << 3)) | 0;
    state[2] = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  const fraction = () => word() / 4_294_967_296;
  const int = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));
  return {
    word,
    fraction,
    int,
    chance: (probability) => fraction() < probability,
    pick: (list) => {
      const picked = list[int(0, list.length - 1)];
      if (picked === undefined) throw new Error("The list is empty.");
      return picked;
    },
  };
}

/** An independent generator, seeded by the parts. */
export function randomFor(...parts: readonly (string | number)[]): Random {
  return randomOf(seedOf(parts.join("\u001f")));
}

/** Lower-case hexadecimal. */
export function randomHex(random: Random, bytes: number): string {
  let text = "";
  while (text.length < bytes * 2) text += random.word().toString(16).padStart(8, "0");
  return text.slice(0, bytes * 2);
}

/** A version 4 UUID (RFC 9562, section 5.4). */
export function randomUuid(random: Random): string {
  const hex = randomHex(random, 16);
  const variant = (8 + (Number.parseInt(hex[16] ?? "0", 16) % 4)).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const DIGITS = "0123456789";
const URL_SAFE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/** Decimal digits without a leading 0. */
export function randomDigits(random: Random, length: number): string {
  return String(random.int(1, 9)) + randomText(random, length - 1, DIGITS);
}

export function randomText(random: Random, length: number, alphabet: string = URL_SAFE): string {
  let text = "";
  for (let index = 0; index < length; index += 1) text += alphabet[random.int(0, alphabet.length - 1)] ?? "";
  return text;
}

function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}
