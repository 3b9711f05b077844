import { BYTE_ORDER_MARK, toBinary } from './characters.ts';

/** A longer line is cut, because no name, phone or email is as long. */
export const LINE_BYTES_MAX = 4000;
/** These are read whole if they are wanted. */
const LONG_LINE = /^(?:[\w-]+\.)?(PHOTO|NOTE)[;:]/i;
/** After this number of lines the caller gets a chance to let the page paint and respond. */
const LINES_PER_PAUSE = 200;
const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE, EQUALS_SIGN] = [9, 10, 13, 32, 61];
const [UPPER_D, LOWER_D] = [68, 100];
const QUOTED_PRINTABLE =
  /^[^:]*(?:QUOTED-PRINTABLE|;ENCODING=Q(?=[;:]))[^:]*:|^[^:]*;CHARSET=[^:]*:=[C-F][\dA-F]=/i;
/** Matches a BEGIN that follows other text on its line, even if a byte order mark stands between the two. */
const GLUED_BEGIN = /^(.*?[^\s\xef\xbb\xbf])[\s\xef\xbb\xbf]*(BEGIN:VCARD\s*)$/is;
/** Matches the start of a file in which every line is indented. */
const INDENTED_BEGIN = /^(?:\xef\xbb\xbf)?\s*?([ \t]+)BEGIN:VCARD[ \t]*[\r\n]+\1/i;
const VERSION = /^[\r\n]+VERSION:/i;
const VERSION_BYTES_MAX = 16;
const ENDED_CARD = /^(?:\xef\xbb\xbf)?END:VCARD$/i;
const AGENT = /^(?:[\w-]+\.)?AGENT(?:;[^:]*)?:$/i;

export const PROPERTY_NAMES =
  'BEGIN|END|VERSION|N|FN|NICKNAME|ORG|TITLE|ROLE|TEL|EMAIL|ADR|LABEL|URL|BDAY|ANNIVERSARY|GENDER|LANG|TZ|GEO|NOTE|PHOTO|LOGO|SOUND|KEY|UID|REV|PRODID|CATEGORIES|CLASS|SORT-STRING|MAILER|IMPP|RELATED|MEMBER|KIND|SOURCE|AGENT|X-[A-Z0-9-]+';
const certainLine = (names: string, flags = '') =>
  new RegExp(`^(?:[\\w-]+\\.)?(?:${names})(?:;[^:]*:|:(?! ))`, flags);
const CERTAIN_LINES = {
  BEGIN: certainLine(PROPERTY_NAMES),
  begin: certainLine(PROPERTY_NAMES.toLowerCase()),
  other: certainLine(PROPERTY_NAMES, 'i'),
};

/** Returns what matches a line that is certainly a property, in the letter case in which the card writes BEGIN. */
export function certainLinePattern(begin: string): RegExp {
  return begin === 'BEGIN' || begin === 'begin' ? CERTAIN_LINES[begin] : CERTAIN_LINES.other;
}

/** Yields the unfolded lines of a file. Yields null now and then, as `readCards` does. */
export function* unfoldedLines(bytes: Uint8Array, wanted: RegExp): Generator<string | null> {
  let line = '';
  let bytesMax = LINE_BYTES_MAX;
  let [isQuoted, isSoftBreak] = [false, false];
  let count = 0;
  const indent = INDENTED_BEGIN.exec(toBinary(bytes.subarray(0, LINE_BYTES_MAX)))?.[1] ?? '';
  for (const whole of physicalLines(bytes)) {
    const isIndented = indent !== '' && toBinary(whole.subarray(0, indent.length)) === indent;
    const physical = isIndented ? whole.subarray(indent.length) : whole;
    count += 1;
    if (count % LINES_PER_PAUSE === 0) yield null;
    const isFolded = physical[0] === SPACE || physical[0] === TAB;
    // The rest of a folded line is not read.
    if (isFolded && line.length >= bytesMax && !isQuoted) continue;
    const start = toBinary(physical.subarray(0, LINE_BYTES_MAX)).replaceAll(BYTE_ORDER_MARK, '');
    // A quoted value that was cut off can end with the sign of a soft break. The next line is not part of it.
    isSoftBreak &&= start !== '' && !CERTAIN_LINES.BEGIN.test(start);
    if (start === '') continue;
    if (!isSoftBreak && !isFolded) {
      yield line;
      line = '';
      isQuoted = false;
      const [, name = ''] = LONG_LINE.exec(start) ?? [];
      bytesMax = wanted.test(name.toUpperCase()) ? Infinity : LINE_BYTES_MAX;
    }
    const text = bytesMax === LINE_BYTES_MAX ? start : toBinary(physical);
    const part = line === '' ? text : text.replace(isSoftBreak ? /^\s+/ : /^\s/, '');
    // Only the start can say so. Testing a whole picture for each of its lines would take quadratic time.
    isQuoted ||= line.length < LINE_BYTES_MAX && QUOTED_PRINTABLE.test(line === '' ? part : line);
    isSoftBreak = isQuoted && endsInSoftBreak(physical);
    if (line.length < bytesMax) line += isSoftBreak ? part.replace(/=[ \t]*$/, '') : part;
  }
  yield line;
}

/** White space at the end of a line has been added on the way (RFC 2045, section 6.7, rule 3). */
function endsInSoftBreak(physical: Uint8Array): boolean {
  const last = physical.findLastIndex((byte) => byte !== SPACE && byte !== TAB);
  return physical[last] === EQUALS_SIGN;
}

/**
 * Yields the lines of a file before unfolding, including empty ones. A BEGIN that follows another file's last
 * line without a line break becomes a line of its own.
 */
function* physicalLines(bytes: Uint8Array): Generator<Uint8Array> {
  let [carriageReturn, lineFeed] = [-1, -1];
  for (let start = 0; start < bytes.length;) {
    if (carriageReturn < start) carriageReturn = indexOrEnd(bytes, CARRIAGE_RETURN, start);
    if (lineFeed < start) lineFeed = indexOrEnd(bytes, LINE_FEED, start);
    const end = Math.min(carriageReturn, lineFeed);
    const begin = gluedBegin(bytes, start, end);
    if (begin > start) yield bytes.subarray(start, begin);
    yield bytes.subarray(begin, end);
    start = end + (end === carriageReturn && lineFeed === end + 1 ? 2 : 1);
  }
}

/** Returns where a BEGIN starts that is glued to the end of a line, or the start of the line if there is none. */
function gluedBegin(bytes: Uint8Array, start: number, end: number): number {
  const last = bytes[end - 1];
  if (last !== UPPER_D && last !== LOWER_D && last !== SPACE) return start;
  const line = toBinary(bytes.subarray(Math.max(start, end - LINE_BYTES_MAX), end));
  const [, before = '', begin = ''] = GLUED_BEGIN.exec(line) ?? [];
  if (begin === '') return start;
  const isNext = () => VERSION.test(toBinary(bytes.subarray(end, end + VERSION_BYTES_MAX)));
  const isGlued = ENDED_CARD.test(before) || (!AGENT.test(before) && isNext());
  return isGlued ? end - begin.length : start;
}

function indexOrEnd(bytes: Uint8Array, byte: number, start: number): number {
  const index = bytes.indexOf(byte, start);
  return index === -1 ? bytes.length : index;
}
