import * as z from 'zod/mini';

import { toAsciiDigits } from './digit.ts';
import { indianWhatsappHref } from './href.ts';
import { NETWORKS, NETWORKS_ON_CARD, nameOnCard, accountUrl } from './network.ts';
import type { Network } from './network.ts';
import { NFC_INPUT_CHARACTERS_MAX, hasForbiddenCharacter, rawText, toNfc } from './text.ts';
import { parseUrl } from './url.ts';

/** Longest handle URL in characters (docs/product.md#limits). */
export const HANDLE_LENGTH_MAX = 2048;
/** A Whatsapp number has exactly this many digits (docs/product.md#handles). */
const WHATSAPP_DIGITS = 10;

/** The alert for a Whatsapp entry that is not 10 digits (docs/product.md#messages). */
export const WHATSAPP_INVALID = 'Invalid Phone Number: Should be a 10-digit phone number';
/** The note beside an entry that does not parse as a link. */
export const LINK_INVALID = 'This does not look like a link. Paste the whole address of the page.';
/** The note beside an entry that is too long to store. */
export const LINK_TOO_LONG = `A link can have at most ${HANDLE_LENGTH_MAX} characters.`;

/** The longest entry that is parsed, in UTF-16 units. */
const TYPED_LENGTH_MAX = HANDLE_LENGTH_MAX * NFC_INPUT_CHARACTERS_MAX;
const TEN_DIGITS = /^[0-9]{10}$/;
const WEB_PROTOCOL = /^https?:/i;
/** A user name, such as '@asha.rao': letters and digits of any script, dots, dashes. */
const USERNAME = /^(@?)(?=.*[\p{L}\p{N}])([\p{L}\p{M}\p{N}._-]+)$/u;
/** A dot between two labels. */
const INNER_DOT = /[^.]\.[^.]/;
// eslint-disable-next-line no-control-regex -- control characters are matched on purpose
const INVISIBLE_CHARACTERS =
  /[\u0000-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** The handles of a card: a URL or, for Whatsapp, 10 digits. `null` means unset. */
export type SocialMediaHandles = Partial<Record<Network, string | null>>;

export type ParsedHandle =
  | { kind: 'value'; value: string | null }
  | { kind: 'alert'; message: typeof WHATSAPP_INVALID }
  | { kind: 'note'; message: string };

const NO_LINK: ParsedHandle = { kind: 'note', message: LINK_INVALID };

/**
 * Returns for a typed handle the value to store (`null` removes the handle), the Whatsapp alert, or
 * a note for the pop-up, which stays open. A user name becomes the account's URL where the network
 * has such URLs (docs/product.md#validation).
 */
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

/** Returns the user name in an entry with `@` or without a dot; null for a link. */
function username(entry: string): string | null {
  const [, at, name] = USERNAME.exec(entry) ?? [];
  return name !== undefined && (at === '@' || !INNER_DOT.test(name)) ? name : null;
}

/** Returns whether visitors can reach the host of a URL: a name with a dot, or an address. */
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

/** Returns a URL in its stored form: NFC, trimmed, without control or invisible characters. */
function cleanUrl(url: string): string {
  return normaliseSlashes(toNfc(url.replace(INVISIBLE_CHARACTERS, '').trim()));
}

/**
 * Returns a URL with exactly two slashes after the scheme. The URL parser reads 'http:/x' as the
 * host x, but a link to it on an http page is resolved as the path /x of that page's host.
 */
function normaliseSlashes(url: string): string {
  return url.replace(/^(https?:)[/\\]*/i, '$1//');
}

function isStorable(url: string): boolean {
  return isWebUrl(url) && !hasForbiddenCharacter(url);
}

/** Returns whether a text is an absolute http(s) URL without credentials that is short enough. */
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

/**
 * The handles of an update: an absent network is unchanged, `null` unsets, unknown keys are
 * ignored.
 */
export const socialMediaHandlesSchema = z.object(
  Object.fromEntries(
    NETWORKS.map((network) => [
      network,
      z.optional(z.nullable(network === 'Whatsapp' ? whatsappNumber : handleUrl)),
    ]),
  ) as Record<Network, z.ZodMiniOptional<z.ZodMiniNullable<typeof handleUrl>>>,
  'must be an object of links',
);

export interface SocialLink {
  readonly network: Network;
  /** The network's name on the card: 'Website' for Web. */
  readonly name: string;
  /** Always http(s). */
  readonly href: string;
}

/**
 * Returns the links that a card shows, in the public card's order. Stored handles are checked
 * again, because an old row can have a value that the server rejects today.
 */
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
