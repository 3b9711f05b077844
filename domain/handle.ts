import * as z from 'zod/mini';

import { toAsciiDigits } from './digit.ts';
import { indianWhatsappHref } from './href.ts';
import { NETWORKS, NETWORKS_ON_CARD, nameOnCard, accountUrl } from './network.ts';
import type { Network } from './network.ts';
import { mapNames } from './record.ts';
import { NFC_INPUT_CHARACTERS_MAX, hasForbiddenCharacter, rawText, toNfc } from './text.ts';
import { parseUrl } from './url.ts';

export const HANDLE_LENGTH_MAX = 2048;
const WHATSAPP_DIGITS = 10;

export const WHATSAPP_INVALID = 'Invalid Phone Number: Should be a 10-digit phone number';
export const LINK_INVALID = 'This does not look like a link. Paste the whole address of the page.';
export const LINK_TOO_LONG = `A link can have at most ${HANDLE_LENGTH_MAX} characters.`;

const TYPED_LENGTH_MAX = HANDLE_LENGTH_MAX * NFC_INPUT_CHARACTERS_MAX;
const TEN_DIGITS = /^[0-9]{10}$/;
const WEB_PROTOCOL = /^https?:/i;
/** Letters and digits of any script, dots, dashes. */
const USERNAME = /^(@?)(?=.*[\p{L}\p{N}])([\p{L}\p{M}\p{N}._-]+)$/u;
const INNER_DOT = /[^.]\.[^.]/;
// eslint-disable-next-line no-control-regex -- control characters are matched on purpose
const INVISIBLE_CHARACTERS =
  /[\u0000-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

export type SocialMediaHandles = Partial<Record<Network, string | null>>;

export type ParsedHandle =
  | { kind: 'value'; value: string | null }
  | { kind: 'alert'; message: typeof WHATSAPP_INVALID }
  | { kind: 'note'; message: string };

const NO_LINK: ParsedHandle = { kind: 'note', message: LINK_INVALID };

/** `null` removes the handle. A note keeps the pop-up open (docs/product.md#validation). */
export function parseHandle(network: Network, typed: string): ParsedHandle {
  if (network === 'Whatsapp') return parseWhatsapp(typed);
  if (typed.length > TYPED_LENGTH_MAX) return { kind: 'note', message: LINK_TOO_LONG };
  const cleaned = cleanUrl(typed);
  if (cleaned === '') return { kind: 'value', value: null };
  const name = username(cleaned);
  if (name !== null) {
    const url = accountUrl(network, name);
    return url === null ? NO_LINK : { kind: 'value', value: url };
  }
  const hasProtocol = WEB_PROTOCOL.test(cleaned);
  const url = hasProtocol ? cleaned : normaliseSlashes(`https://${cleaned}`);
  if (url.length > HANDLE_LENGTH_MAX) return { kind: 'note', message: LINK_TOO_LONG };
  if (!isStorable(url)) return NO_LINK;
  // Without a protocol an entry such as 'asha/rao' or '@asha/rao' is rather a user name.
  if (!hasProtocol && (cleaned.startsWith('@') || !hasPublicHost(url))) return NO_LINK;
  return { kind: 'value', value: url };
}

export function parseLink(typed: string): string | null {
  const parsed = parseHandle('Web', typed);
  const url = parsed.kind === 'value' ? parsed.value : null;
  return url !== null && hasPublicHost(url) ? url : null;
}

function username(entry: string): string | null {
  const [, at, name] = USERNAME.exec(entry) ?? [];
  return name !== undefined && (at === '@' || !INNER_DOT.test(name)) ? name : null;
}

function hasPublicHost(url: string): boolean {
  const { hostname } = new URL(url);
  return INNER_DOT.test(hostname) || hostname.startsWith('[');
}

function parseWhatsapp(typed: string): ParsedHandle {
  if (typed.length > TYPED_LENGTH_MAX) return { kind: 'alert', message: WHATSAPP_INVALID };
  const visible = typed.replace(INVISIBLE_CHARACTERS, '').trim();
  if (visible === '') return { kind: 'value', value: null };
  const number = toAsciiDigits(visible)
    .replace(/[\s\-().\u2010-\u2015]/g, '')
    .replace(/^(\+91|91|0)(?=[0-9]{10})/, '');
  if (!TEN_DIGITS.test(number)) return { kind: 'alert', message: WHATSAPP_INVALID };
  return { kind: 'value', value: number };
}

function cleanUrl(url: string): string {
  return normaliseSlashes(toNfc(url.replace(INVISIBLE_CHARACTERS, '').trim()));
}

/** The URL parser reads 'http:/x' as the host x; a browser resolves such a link as a path. */
function normaliseSlashes(url: string): string {
  return url.replace(/^(https?:)[/\\]*/i, '$1//');
}

function isStorable(url: string): boolean {
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

const handleUrl = rawText(HANDLE_LENGTH_MAX, 'must be a link or null').check(
  z.overwrite(cleanUrl),
  z.maxLength(HANDLE_LENGTH_MAX, `must be at most ${HANDLE_LENGTH_MAX} characters`),
  z.refine(isStorable, 'must be an http or https link'),
);

const whatsappNumber = z
  .string('must be 10 digits or null')
  .check(z.regex(TEN_DIGITS, `must be exactly ${WHATSAPP_DIGITS} digits`));

/** An absent network is unchanged, `null` unsets it. */
export const socialMediaHandlesSchema = z.object(
  mapNames(NETWORKS, (network) =>
    z.optional(z.nullable(network === 'Whatsapp' ? whatsappNumber : handleUrl)),
  ),
  'must be an object of links',
);

export interface SocialLink {
  readonly network: Network;
  readonly name: string;
  readonly href: string;
}

/** Stored handles are checked again, because an old row can have a value that is rejected today. */
export function socialLinks(handles: SocialMediaHandles): SocialLink[] {
  return NETWORKS_ON_CARD.flatMap((network) => {
    const href = handleHref(network, handles[network]);
    return href === null ? [] : [{ network, name: nameOnCard(network), href }];
  });
}

function handleHref(network: Network, value: string | null | undefined): string | null {
  if (!value) return null;
  if (network !== 'Whatsapp') return isWebUrl(value) ? normaliseSlashes(value) : null;
  return TEN_DIGITS.test(value) ? indianWhatsappHref(value) : null;
}
