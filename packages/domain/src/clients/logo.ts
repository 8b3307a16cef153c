/** The limits of a logo. Each page contains it. */
export const LOGO_LIMITS = { bytes: 16_384, pixels: 1_024 } as const;

const MAX_LENGTH = "data:image/jpeg;base64,".length + 4 * Math.ceil(LOGO_LIMITS.bytes / 3);
const DATA_URL = /^data:(image\/(?:png|jpeg|webp));base64,([A-Za-z0-9+/]+={0,2})$/;
const FORMATS = "a PNG, JPEG or WebP image";

interface Image {
  readonly mediaType: "image/png" | "image/jpeg" | "image/webp";
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
}

/**
 * Why a data URL is not accepted as a logo, as text for people; null when it is. Only pixel images: an SVG can contain
 * scripts and links. The dimensions count because a small file can decode to gigabytes.
 */
export function logoProblem(dataUrl: string): string | null {
  if (dataUrl.length > MAX_LENGTH) return `The logo must have at most ${LOGO_LIMITS.bytes} bytes.`;
  const [, mediaType, base64 = ""] = DATA_URL.exec(dataUrl) ?? [];
  const bytes = mediaType === undefined ? null : bytesOf(base64);
  if (bytes === null) return `The logo must be a data URL of ${FORMATS}.`;
  if (bytes.length > LOGO_LIMITS.bytes) return `The logo must have at most ${LOGO_LIMITS.bytes} bytes.`;
  const image = readImage(bytes);
  if (image?.mediaType !== mediaType || image === null) return `The logo must be ${FORMATS}, named by its own type.`;
  if (image.isAnimated) return "The logo must not be animated.";
  const isInside = [image.width, image.height].every((pixels) => pixels >= 1 && pixels <= LOGO_LIMITS.pixels);
  return isInside ? null : `The logo must be at most ${LOGO_LIMITS.pixels} pixels wide and high.`;
}

/** A logo's data URL, for the bytes of a PNG, JPEG or WebP file; null for other files. */
export function logoDataUrl(bytes: Uint8Array): string | null {
  const image = readImage(bytes);
  return image && `data:${image.mediaType};base64,${btoa(binaryOf(bytes))}`;
}

/** Null unless the text is the only base64 form of its bytes. */
function bytesOf(base64: string): Uint8Array | null {
  if (base64.length % 4 !== 0) return null;
  const binary = atob(base64);
  return btoa(binary) === base64 ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : null;
}

function binaryOf(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return binary;
}

/** The format by its first bytes, and the dimensions; null for anything else. */
function readImage(bytes: Uint8Array): Image | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readPng(view) ?? readJpeg(view) ?? readWebp(view);
  } catch (error) {
    // The header says more than the file has.
    if (Object(error).name === "RangeError") return null;
    throw error;
  }
}

function textAt(view: DataView, at: number, length: number): string {
  return Array.from({ length }, (_, index) => String.fromCharCode(view.getUint8(at + index))).join("");
}

/** PNG, third edition: the signature, then chunks of length, type, data and checksum; `acTL` makes it an animation. */
function readPng(view: DataView): Image | null {
  if (view.byteLength < 33 || textAt(view, 0, 8) !== "\x89PNG\r\n\x1a\n" || textAt(view, 12, 4) !== "IHDR") return null;
  let isAnimated = false;
  for (let at = 8; at + 8 <= view.byteLength; at += 12 + view.getUint32(at)) {
    if (textAt(view, at + 4, 4) === "acTL") isAnimated = true;
  }
  return { mediaType: "image/png", width: view.getUint32(16), height: view.getUint32(20), isAnimated };
}

/** ITU T.81, annex B: segments after the signature, until the one with the dimensions (SOF0 to SOF15). */
function readJpeg(view: DataView): Image | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      return {
        mediaType: "image/jpeg",
        height: view.getUint16(at + 5),
        width: view.getUint16(at + 7),
        isAnimated: false,
      };
    }
    // The pixels begin without a frame.
    if (marker === 0xda || view.getUint16(at + 2) < 2) return null;
  }
  return null;
}

/** RFC 9649: RIFF with one of three kinds of first chunk. */
function readWebp(view: DataView): Image | null {
  if (view.byteLength < 30 || textAt(view, 0, 4) !== "RIFF" || textAt(view, 8, 4) !== "WEBP") return null;
  const still = { mediaType: "image/webp", isAnimated: false } as const;
  switch (textAt(view, 12, 4)) {
    case "VP8 ":
      return { ...still, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { ...still, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X": {
      const at24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1;
      return { ...still, width: at24(24), height: at24(27), isAnimated: (view.getUint8(20) & 0x02) !== 0 };
    }
    default:
      return null;
  }
}
