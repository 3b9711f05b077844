/*
 * Each character of a string that is called `binary` or `raw` stands for one byte. Lines are unfolded before
 * they are decoded, because a fold can be inside a character (RFC 2426, section 2.6).
 */

const EIGHT_BIT = /[\x80-\xff]/;
const EIGHT_BIT_RUNS = /([\x80-\xff]+)/;
const REPLACEMENTS = /\ufffd/g;
// eslint-disable-next-line no-control-regex -- the ASCII characters are matched on purpose
const NON_ASCII = /[^\0-\x7f\ufffd]/gu;
export const BYTE_ORDER_MARK = '\xef\xbb\xbf';

export interface FileText {
  /** The bytes of the file. A file in UTF-16 (RFC 2781) has been converted to UTF-8. */
  readonly bytes: Uint8Array;
  /** Whether the file says that it is Unicode, which overrides the CHARSET of a value. */
  readonly isUnicode: boolean;
}

export function toFileText(bytes: Uint8Array): FileText {
  const label = utf16Label(bytes);
  if (label === null)
    return { bytes, isUnicode: toBinary(bytes.subarray(0, 3)) === BYTE_ORDER_MARK };
  const text = new TextDecoder(label).decode(bytes);
  return { bytes: new TextEncoder().encode(text), isUnicode: true };
}

/** The bytes become the arguments of one call, of which there can be only so many. */
const ARGUMENTS_MAX = 4096;

export function toBinary(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += ARGUMENTS_MAX)
    binary += String.fromCharCode(...bytes.subarray(at, at + ARGUMENTS_MAX));
  return binary;
}

export function toBytes(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Recognises UTF-16 by its byte order mark, or by a zero byte before or after the first letter of `BEGIN`. */
function utf16Label([first, second]: Uint8Array): string | null {
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second) ? 'utf-16be' : null;
}

/** Decodes with the declared charset if that is possible, and otherwise with a guessed one. */
export function decodeText(binary: string, charset: string | undefined): string {
  const declared = charset === undefined ? undefined : findDecoder(charset);
  if (declared === undefined && !EIGHT_BIT.test(binary)) return binary;
  const bytes = toBytes(binary);
  // Some programs declare ASCII or Latin-1 for UTF-8. Text in another encoding is hardly ever valid UTF-8.
  if (declared?.encoding === 'windows-1252') return decodeByGuess(bytes);
  return (declared && tryDecode(declared, bytes)) ?? decodeByGuess(bytes);
}

/** Decodes a value. A letter that is not quoted is in the encoding of the file, not in that of the value. */
export function decodeQuotedPrintable(raw: string, charset: string | undefined): string {
  if (!EIGHT_BIT.test(raw)) return decodeText(unquote(raw), charset);
  const whole = decodeUtf8(unquote(raw));
  if (whole !== null) return whole;
  const parts = raw.split(EIGHT_BIT_RUNS);
  const texts = parts.map((part) =>
    EIGHT_BIT.test(part)
      ? (decodeUtf8(part) ?? decodeText(part, charset))
      : decodeText(unquote(part), charset),
  );
  return texts.join('');
}

const unquote = (raw: string) =>
  raw.replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const decodeUtf8 = (binary: string) => tryDecode(UTF_8, toBytes(binary));

/**
 * Decodes as UTF-8 if most of the bytes are valid, and drops the invalid ones. Everything else is taken for
 * the old encoding of Windows, in which hardly any text is valid UTF-8 by chance.
 */
function decodeByGuess(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  const oddCount = text.match(REPLACEMENTS)?.length ?? 0;
  const isUtf8 = (text.match(NON_ASCII)?.length ?? 0) >= oddCount;
  return isUtf8 ? text.replace(REPLACEMENTS, '') : new TextDecoder('windows-1252').decode(bytes);
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });
/** Windows programs name these charsets by the number of their code page, which the Encoding standard does not know. */
const CODE_PAGE = /^(?:CP|MS|WINDOWS-)(\d+)$/;
const CODE_PAGES: Readonly<Record<string, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
};
const decoders = new Map<string, TextDecoder | undefined>();

/** Returns undefined for an unknown charset, and for UTF-16, whose bytes could not be in a line. */
function findDecoder(charset: string): TextDecoder | undefined {
  if (!decoders.has(charset)) {
    let found: TextDecoder | undefined;
    try {
      const [, page = ''] = CODE_PAGE.exec(charset) ?? [];
      found = new TextDecoder(CODE_PAGES[page] ?? charset, { fatal: true });
    } catch {
      // The constructor throws a RangeError for an unknown label.
    }
    decoders.set(charset, found?.encoding.startsWith('utf-16') ? undefined : found);
  }
  return decoders.get(charset);
}

function tryDecode(declared: TextDecoder, bytes: Uint8Array): string | null {
  try {
    return declared.decode(bytes);
  } catch {
    return null;
  }
}
