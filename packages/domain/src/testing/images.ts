/** The smallest files that have the headers of their format. */

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0));
const big32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const little = (value: number, bytes: number) => Array.from({ length: bytes }, (_, at) => (value >>> (8 * at)) & 255);
const chunk = (type: string, data: readonly number[]) => [...big32(data.length), ...ascii(type), ...data, 0, 0, 0, 0];

export function png(width: number, height: number, { isAnimated = false } = {}): Uint8Array {
  return Uint8Array.from([
    ...ascii("\x89PNG\r\n\x1a\n"),
    ...chunk("IHDR", [...big32(width), ...big32(height), 8, 2, 0, 0, 0]),
    ...(isAnimated ? chunk("acTL", [...big32(2), ...big32(0)]) : []),
    ...chunk("IEND", []),
  ]);
}

export function jpeg(width: number, height: number): Uint8Array {
  const big16 = (value: number) => [value >>> 8, value & 255];
  return Uint8Array.from([
    0xff,
    0xd8,
    // A segment before the frame, as every camera writes one.
    0xff,
    0xe0,
    ...big16(4),
    0,
    0,
    0xff,
    0xc0,
    ...big16(8),
    8,
    ...big16(height),
    ...big16(width),
    1,
    0xff,
    0xd9,
  ]);
}

export function webp(
  kind: "VP8 " | "VP8L" | "VP8X",
  width: number,
  height: number,
  { isAnimated = false } = {},
): Uint8Array {
  const data = {
    "VP8 ": [0, 0, 0, 0x9d, 0x01, 0x2a, ...little(width, 2), ...little(height, 2)],
    VP8L: [0x2f, ...little((width - 1) | ((height - 1) << 14), 4), 0, 0, 0, 0, 0],
    VP8X: [isAnimated ? 2 : 0, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)],
  }[kind];
  const body = [...ascii("WEBP"), ...ascii(kind), ...little(data.length, 4), ...data];
  return Uint8Array.from([...ascii("RIFF"), ...little(body.length, 4), ...body]);
}

export function dataUrl(mediaType: string, bytes: Uint8Array): string {
  return `data:${mediaType};base64,${btoa(String.fromCharCode(...bytes))}`;
}

export const BLACK_PNG = dataUrl("image/png", png(1, 1));
