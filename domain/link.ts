import { dropInvisible } from './invisible.ts';
import { networkOf } from './network.ts';
import { hasForbiddenCharacter, toNfc } from './text.ts';
import { parseUrl } from './url.ts';

export const HANDLE_LENGTH_MAX = 2048;

export const WEB_PROTOCOL = /^https?:/i;
const LINE_BREAK = /[\r\n\v\f\u0085\u2028\u2029]+/;
/**
 * Tabs are not matched, because a tab can separate a link from words or from a second link. `cleanLink` drops
 * the other tabs later, as the URL parser would.
 */
const CONTROL_CHARACTERS = /(?!\t)\p{Cc}/gu;
const WHITE_SPACE = /\s+/g;
/** The lookbehind keeps the search linear. */
const EMOJI_TAIL = /(?<![\s\p{ExtPict}\p{EMod}\p{RI}])[\s\p{ExtPict}\p{EMod}\p{RI}]+$/u;
/** Matches protocols such as 'javascript:', but no label such as 'Website: ', which a space follows. */
const PROTOCOL = /^(?!\w*https?:)[a-z][a-z\d+.-]*:\S/i;
const LINK_IN_WORDS = /https?:\/\/\S+/gi;
/** These signs close a sentence, a quotation or brackets. */
const CLOSING_SIGNS = `>\\]"'”’»,.;:!?…।、。，،؟۔`;
/** Matches such signs, and the given ones, at the end. The lookbehind keeps the search linear. */
const closing = (signs = '') =>
  new RegExp(`(?<![${signs}${CLOSING_SIGNS}])[${signs}${CLOSING_SIGNS}]+$`);
/** A link itself can end with one of these signs, so it is dropped only if its partner stands before the link. */
const CLOSING_AFTER = new Map([
  ['(', closing(')')],
  // WhatsApp marks bold, italic, struck and monospaced text.
  ...['*', '_', '~', '`'].map((sign) => [sign, closing(sign)] as const),
]);
const CLOSING = closing();
const CLOSING_WITH_BRACKET = closing(')');
/** Matches the path of a profile whose name is missing. */
const PATH_WITHOUT_NAME = /^\/(?:(?:in|add|company|channel)\/?|@)?$/;
/** Matches a link that ends in what somebody searches or writes. */
const WORDS_IN_QUERY = /[?&](?:q|query|search\w*|text)=[^&]*$/i;
const SHORT_MAPS_LINK = /^https?:\/\/(?:maps\.app\.goo\.gl|goo\.gl|maps\.apple|g\.page|g\.co)\//i;
export const INNER_DOT = /[^.]\.[^.]/;
const SPACE_OR_AT = /[\s@]/;
/**
 * Matches a link right after another one, as when somebody pastes into an input that already has a link. An escape such
 * as '%20' may stand before a link, because a query can contain one.
 */
const SECOND_LINK = /(?:\s|(?<!%[\da-f])[\p{L}\p{N}])https?:/iu;
/** The path of any other site can contain a link, as on web.archive.org, but the path of a profile cannot. */
const LINK_IN_PATH = /^[^?#]*\/https?:/i;
const LABEL = /^(?!-)[\w-]+(?<!-)$/;
/**
 * Matches hosts that only one machine or network can reach (RFC 6890, RFC 6761, RFC 6762). A host that ends in
 * 'https' comes from a protocol that was pasted twice.
 */
const PRIVATE_HOST =
  /^(?:\[(?:::|f[cdef])|(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$)|\.(?:https?|local|localhost|internal)\.?$/;

/**
 * Returns the link of a pasted text as it is stored: without invisible characters, the words and lines
 * around it, and emoji after it. Words after a link are kept if they can belong to it. A text with no link,
 * or with several, is returned as one line.
 */
export function cleanLink(typed: string): string {
  const lines = dropInvisible(typed)
    .split(LINE_BREAK)
    .map((line) => line.replace(CONTROL_CHARACTERS, '').replace(EMOJI_TAIL, '').trim());
  const link = findLink(lines) ?? lines.join(' ').trim();
  const dropTabs = (space: string, at: number) =>
    WEB_PROTOCOL.test(link.slice(at + space.length)) ? space : space.replaceAll('\t', '');
  return normaliseSlashes(toNfc(link.replace(WHITE_SPACE, dropTabs)));
}

/** Returns the one link of several lines, and any other text as it is. */
export const extractLink = (text: string): string =>
  LINE_BREAK.test(text.trim()) ? cleanLink(text) : text;

function findLink(lines: readonly string[]): string | undefined {
  const candidates = lines.map(dropSurroundingWords);
  const written = candidates.filter((line) => WEB_PROTOCOL.test(line));
  const found = written.length > 0 ? written : candidates.filter(isBareLink);
  return found.length === 1 ? found[0] : undefined;
}

const isBareLink = (text: string) => INNER_DOT.test(text) && !SPACE_OR_AT.test(text);

/** Words can stand right beside a link, because an input joins the lines that are pasted into it. */
function dropSurroundingWords(line: string): string {
  const links = line.match(LINK_IN_WORDS) ?? [];
  const [start = ''] = line.split(/\s/, 1);
  const rest = line.slice(start.length);
  const isOnlyLink = links.length === (WEB_PROTOCOL.test(line) ? 1 : 0) && !rest.includes('/');
  const isShort = line.length <= HANDLE_LENGTH_MAX;
  if (isOnlyLink && isShort && endsAtSpace(start))
    return dropSigns(start, start.includes('(') ? CLOSING : CLOSING_WITH_BRACKET);
  if (WEB_PROTOCOL.test(line) || PROTOCOL.test(line)) return line;
  const [link, ...others] = links;
  const before = link === undefined ? '' : line.slice(0, line.indexOf(link));
  const isPartOfUrl = isBareLink(before);
  if (link === undefined || others.length > 0 || isPartOfUrl) return line;
  return dropSigns(link, CLOSING_AFTER.get(before.at(-1) ?? '') ?? CLOSING);
}

const dropSigns = (link: string, signs: RegExp) => link.replace(EMOJI_TAIL, '').replace(signs, '');

/**
 * Returns whether a link ends at its first space. A WhatsApp message, the name of a place, and the link of a
 * page on any other site can contain spaces.
 */
function endsAtSpace(start: string): boolean {
  if (!INNER_DOT.test(start) || WORDS_IN_QUERY.test(start)) return false;
  const url = parseUrl(WEB_PROTOCOL.test(start) ? start : `https://${start}`);
  if (url === null || PATH_WITHOUT_NAME.test(url.pathname)) return false;
  const network = networkOf(url.href);
  if (network === 'Maps') return SHORT_MAPS_LINK.test(url.href);
  return network !== null && network !== 'Whatsapp';
}

/** The URL parser reads 'http:/x' as the host x, but a browser would resolve it as a path. */
export function normaliseSlashes(url: string): string {
  return url.replace(/^(https?:)[/\\]*/i, '$1//');
}

export function isStorableLink(url: string): boolean {
  return isWebUrl(url) && !hasForbiddenCharacter(url);
}

export function isWebUrl(text: string): boolean {
  if (text.length > HANDLE_LENGTH_MAX) return false;
  const url = parseUrl(text);
  if (url === null) return false;
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  // Chromium escapes the spaces of a host; all other parsers reject it.
  const hasValidHost = !url.hostname.includes('%');
  return isWeb && hasValidHost && url.username === '' && url.password === '';
}

/** Returns whether other people can open a link that may be stored. */
export function isPublicLink(url: string): boolean {
  const { hostname } = new URL(url);
  if (PRIVATE_HOST.test(hostname) || SECOND_LINK.test(url)) return false;
  if (LINK_IN_PATH.test(url) && networkOf(url) !== null) return false;
  const labels = hostname.replace(/\.$/, '').split('.');
  return hostname.startsWith('[') || (labels.length > 1 && labels.every((one) => LABEL.test(one)));
}
