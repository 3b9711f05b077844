import * as z from 'zod/mini';

import { dropInvisible } from './invisible.ts';
import {
  HANDLE_LENGTH_MAX,
  INNER_DOT,
  WEB_PROTOCOL,
  cleanLink,
  isPublicLink,
  isStorableLink,
  isWebUrl,
  normaliseSlashes,
} from './link.ts';
import { NETWORKS, NETWORKS_ON_CARD, nameOnCard, accountUrl, isHostOf } from './network.ts';
import type { Network } from './network.ts';
import { cleanPhone } from './typed-phone.ts';
import { mapNames } from './record.ts';
import { NFC_INPUTS_PER_CHARACTER_MAX, rawText } from './text.ts';

const WHATSAPP_DIGITS = 10;

export const WHATSAPP_INVALID = 'Invalid Phone Number: Should be a 10-digit phone number';
export const LINK_INVALID = "This doesn't look like a link. Paste the page's whole link.";
export const LINK_TOO_LONG = `A link can have up to ${HANDLE_LENGTH_MAX} characters.`;

export const TYPED_HANDLE_LENGTH_MAX = HANDLE_LENGTH_MAX * NFC_INPUTS_PER_CHARACTER_MAX;
const TEN_DIGITS = /^[0-9]{10}$/;
/**
 * Matches a user name of letters and digits of any script, dots and dashes. The dots at the end are left out, because a
 * phone's keyboard adds one.
 */
const USERNAME = /^(@?)(?=.*[\p{L}\p{N}])([\p{L}\p{M}\p{N}._-]*[\p{L}\p{M}\p{N}_-])\.*$/u;
/**
 * Full-width and mathematical letters become ASCII. Letters of other scripts stay, because NFKC would change the spelling
 * of Thai names.
 */
const NON_ASCII = /\P{ASCII}/u;
const NON_ASCII_CHARACTERS = new RegExp(NON_ASCII, 'gu');
/** The login drops the same prefixes, including a 0 after the country code. */
const INDIAN_PREFIX = /^(?:(?:\+|00)?91)?0?(?=[0-9]{10}$)/;

export type SocialMediaHandles = Partial<Record<Network, string | null>>;

export type ParsedHandle =
  | { kind: 'value'; value: string | null }
  | { kind: 'alert'; message: typeof WHATSAPP_INVALID }
  | { kind: 'note'; message: string };

const INVALID_LINK_NOTE: ParsedHandle = { kind: 'note', message: LINK_INVALID };

/** Returns the value null for an empty text, which removes the handle (docs/develop/product.md#validation). */
export function parseHandle(network: Network, typed: string): ParsedHandle {
  if (network === 'Whatsapp') return parseWhatsapp(typed);
  if (typed.length > TYPED_HANDLE_LENGTH_MAX) return { kind: 'note', message: LINK_TOO_LONG };
  const cleaned = cleanLink(typed);
  if (cleaned === '') return { kind: 'value', value: null };
  const name = parseUsername(network, cleaned);
  const account = name === null ? null : accountUrl(network, name);
  if (account === null && (name !== null || cleaned.startsWith('@'))) return INVALID_LINK_NOTE;
  const link = WEB_PROTOCOL.test(cleaned) ? cleaned : normaliseSlashes(`https://${cleaned}`);
  const url = account ?? link;
  if (url.length > HANDLE_LENGTH_MAX) return { kind: 'note', message: LINK_TOO_LONG };
  if (!isStorableLink(url) || !isPublicLink(url)) return INVALID_LINK_NOTE;
  return { kind: 'value', value: url };
}

export function parseLink(typed: string): string | null {
  const parsed = parseHandle('Web', typed);
  return parsed.kind === 'value' ? parsed.value : null;
}

/** A name may have dots if the network has profiles, unless it is the network's host or starts with 'www.'. */
function parseUsername(network: Network, entry: string): string | null {
  const [, at, name] = USERNAME.exec(entry.replace(NON_ASCII_CHARACTERS, toPlainLetter)) ?? [];
  if (name === undefined) return null;
  const hasProfiles = accountUrl(network, name) !== null;
  const isHost = !hasProfiles || name.startsWith('www.') || isHostOf(network, name);
  return at === '@' || !INNER_DOT.test(name) || !isHost ? name : null;
}

const toPlainLetter = (letter: string) => {
  const plain = letter.normalize('NFKC');
  return NON_ASCII.test(plain) ? letter : plain;
};

function parseWhatsapp(typed: string): ParsedHandle {
  if (typed.length > TYPED_HANDLE_LENGTH_MAX) return { kind: 'alert', message: WHATSAPP_INVALID };
  const visible = dropInvisible(typed).trim();
  if (visible === '') return { kind: 'value', value: null };
  const number = cleanPhone(visible).replace(INDIAN_PREFIX, '');
  if (!TEN_DIGITS.test(number)) return { kind: 'alert', message: WHATSAPP_INVALID };
  return { kind: 'value', value: number };
}

const handleUrl = rawText(HANDLE_LENGTH_MAX, 'must be a link or null').check(
  z.overwrite(cleanLink),
  z.maxLength(HANDLE_LENGTH_MAX, `must be at most ${HANDLE_LENGTH_MAX} characters`),
  z.refine(isStorableLink, 'must be an http or https link'),
);

const whatsappNumber = z
  .string('must be 10 digits or null')
  .check(
    z.overwrite(dropInvisible),
    z.regex(TEN_DIGITS, `must be exactly ${WHATSAPP_DIGITS} digits`),
  );

/** An absent network stays as it is, and null removes its handle. */
export const socialMediaHandlesSchema = z.object(
  mapNames(NETWORKS, (network) =>
    z.optional(z.nullable(network === 'Whatsapp' ? whatsappNumber : handleUrl)),
  ),
  'must be an object of links',
);

/** Checks stored handles again, because an old row can contain a value that would be rejected today. */
export function socialLinks(handles: SocialMediaHandles) {
  return NETWORKS_ON_CARD.flatMap((network) => {
    const href = handleHref(network, handles[network]);
    return href === null ? [] : [{ network, name: nameOnCard(network), href }];
  });
}

function handleHref(network: Network, value: string | null | undefined): string | null {
  if (!value) return null;
  if (network !== 'Whatsapp') return isWebUrl(value) ? normaliseSlashes(value) : null;
  return TEN_DIGITS.test(value) ? `https://wa.me/91${value}` : null;
}
