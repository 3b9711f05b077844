import { isEmail } from '#domain/email.ts';
import { LEAD_LENGTHS_MAX } from '#domain/lead-schema.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { cleanInput, dropLoneSurrogates, trimText } from '#domain/text.ts';
import { AS_TYPED_PROPERTIES } from '#domain/vcard.ts';

import type { Card, Property } from './cards.ts';

export const LEAD_PROPERTIES =
  /^(?:FN|N|NICKNAME|ORG|TEL|EMAIL|KIND|X-ADDRESSBOOKSERVER-KIND|X-ABLABEL|X-TESSERA-\w+)$/;
const KIND = /^(?:X-ADDRESSBOOKSERVER-)?KIND$/;
const NOT_A_PHONE = /FAX|फ़ैक्स|फैक्स|\b(?:PAGER|BEEPER|TELEX|TLX|TTY|TDD|TEXTPHONE|MODEM|BBS)\b/;
/** `X-iPhone` names the device. It does not make the number come before the preferred one. */
const MOBILE = /\bCELL|MOBIL|M[OÓ]VIL|CELULAR|HANDY|मोबाइल|(?<!X-)IPHONE/;
const NOT_AN_EMAIL = /^(?:EX|X[45]00)$/;
const PREFERRED = /^PREF(?:=1)?$/;
const BRACKETED = /<([^<>]*@[^<>]*)>/;
/** Separates the names in a part of N, each of which can be a list (RFC 2426, section 3.1.2). */
const LIST_COMMA = /(?<!\\),(?! )/g;
const NEVER = /(?!)/;

export function isGroup({ properties }: Card): boolean {
  return properties.some(({ name, value }) => KIND.test(name) && /^\s*group\s*$/i.test(value));
}

/** Returns what a card says about a person. If the name is missing, it is the nickname, company, email or phone. */
export function toLead({ properties }: Card): Lead {
  const nonEmpty = (wanted: string) =>
    properties.filter(({ name, value }) => name === wanted && trimText(value) !== '');
  const valueOf = (wanted: string) => nonEmpty(wanted)[0]?.value ?? '';
  const labels = new Map(
    nonEmpty('X-ABLABEL').map(({ group, value }) => [group, value.toUpperCase()] as const),
  );
  const bestOf = (wanted: string, { value, unwanted, first }: Choice) => {
    const candidates = nonEmpty(wanted).flatMap((property) => {
      const label = property.group === '' ? undefined : labels.get(property.group);
      const types = [...property.parameters, ...(label === undefined ? [] : [label])];
      const found = types.some((type) => unwanted.test(type)) ? '' : value(property);
      return found === '' ? [] : [{ found, types }];
    });
    const hasType = (types: RegExp) => (one: (typeof candidates)[number]) =>
      one.types.some((type) => types.test(type));
    const ofType = candidates.filter(hasType(first));
    const pool = ofType.length > 0 ? ofType : candidates;
    return (pool.find(hasType(PREFERRED)) ?? pool[0])?.found ?? '';
  };
  const textOf = (wanted: string) =>
    bestOf(wanted, { value: ({ value }) => unescape(value), unwanted: NEVER, first: NEVER });
  const [family = '', given = '', additional, prefix, suffix] = components(
    valueOf('N').replace(LIST_COMMA, ' '),
  );
  const structured = [prefix, given, additional, family, suffix].filter(Boolean).join(' ');
  const companyName = cleanField(components(valueOf('ORG')).find(Boolean) ?? '', 'companyName');
  const mobile =
    cleanField(textOf(AS_TYPED_PROPERTIES.mobile), 'mobile') ||
    bestOf('TEL', { value: phone, unwanted: NOT_A_PHONE, first: MOBILE });
  const email =
    cleanField(textOf(AS_TYPED_PROPERTIES.email), 'email') ||
    bestOf('EMAIL', { value: emailAddress, unwanted: NOT_AN_EMAIL, first: NEVER });
  const formatted = textOf('FN');
  // Outlook writes FN as 'Nair, Priya' if contacts are filed by family name.
  const isFiledName =
    given !== '' && formatted.startsWith(`${family},`) && formatted.includes(given);
  const names = [
    isFiledName ? '' : formatted,
    structured,
    textOf('NICKNAME'),
    companyName,
    email,
    mobile,
  ];
  const name = names.map((one) => cleanField(one, 'name')).find(Boolean) ?? '';
  return { name, mobile, email, companyName };
}

interface Choice {
  /** Returns the value in clean form, or '' if it is not valid. */
  readonly value: (property: Property) => string;
  readonly unwanted: RegExp;
  /** The types that are preferred to all others. */
  readonly first: RegExp;
}

/** Returns the positional parts of a value, each of which can be empty (RFC 2426, section 3.1.2). */
function components(value: string): string[] {
  const parts = value.split(/(?<=(?<!\\)(?:\\\\)*);/);
  return parts.map((part) => cleanField(unescape(part), 'name'));
}

export const unescape = (value: string, lineBreak = ' '): string =>
  value.replace(/\\(.)/gs, (_, character: string) =>
    /n/i.test(character) ? lineBreak : character,
  );

const cleanField = (value: string, name: keyof Lead) => cleanLine(value, LEAD_LENGTHS_MAX[name]);

export const cleanLine = (value: string, lengthMax: number): string =>
  cutClean(cleanInput(value).replace(/\s+/g, ' '), lengthMax);

export const cutClean = (text: string, lengthMax: number): string =>
  trimText(dropLoneSurrogates(text.trim().slice(0, lengthMax)));

/**
 * Returns a phone, or '' for a text that is too long or contains no digit. vCard 4.0 writes `tel:` before the
 * number, and parameters can follow it (RFC 3966).
 */
function phone({ value }: Property): string {
  const number = unescape(value).replace(/^\s*(?:tel|sms|callto):(?:\/\/)?|;.*$/gis, '');
  const isPhone = /\p{Nd}/u.test(number) && number.length <= LEAD_LENGTHS_MAX.mobile;
  return isPhone ? cleanField(number, 'mobile') : '';
}

/** Returns the first bare email of texts such as `"Name" <a@b.example>`, `mailto:a@b.example` or a list. */
function emailAddress({ value }: Property): string {
  const typed = unescape(value);
  const bare = BRACKETED.exec(typed)?.[1] ?? typed.replace(/"|\(.*?\)/gs, '');
  const [first = ''] = bare.trim().split(/[,;]/);
  const email = cleanField(first.replace(/^(?:mailto|smtp):|\?.*$|\.+$/gi, ''), 'email');
  return isEmail(email) && first.length <= LEAD_LENGTHS_MAX.email ? email : '';
}
