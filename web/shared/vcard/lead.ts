import { emailHint } from '#domain/hint.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { isFamilyFirst } from '#domain/person-name.ts';
import { trimText } from '#domain/text.ts';
import { AS_TYPED_PROPERTIES } from '#domain/vcard.ts';

import type { Card, Property } from './cards.ts';
import { ASSISTANT, MOBILE, NOT_A_PHONE, plainLabel } from './label.ts';
import { cleanField, emailAddress, isPlausiblePhone, phone, unescape } from './value.ts';

export const LEAD_PROPERTIES =
  /^(?:FN|N|NICKNAME|ORG|TEL|EMAIL|KIND|X-ADDRESSBOOKSERVER-KIND|X-ABLABEL|X-ABSHOWAS|X-TESSERA-\w+)$/;
const KIND = /^(?:X-ADDRESSBOOKSERVER-)?KIND$/;
const NOT_AN_EMAIL = /^(?:EX|X[45]00)$/;
/** Ranks after 100, the highest and least preferred value of the parameter PREF (RFC 6350, section 5.3). */
const NOT_PREFERRED = 101;
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
  const labels = new Map(nonEmpty('X-ABLABEL').map(({ group, value }) => [group, value] as const));
  const bestOf = (wanted: string, { value, unwanted, wishes }: Choice) => {
    let pool = nonEmpty(wanted).flatMap((property) => {
      const label = property.group === '' ? undefined : labels.get(property.group);
      const types = [...property.parameters, label ?? ''].map(plainLabel);
      const found = types.some((type) => unwanted.test(type)) ? '' : value(property);
      return found === '' ? [] : [{ found, types }];
    });
    for (const wish of wishes) {
      const granted = pool.filter(wish);
      if (granted.length > 0) pool = granted;
    }
    const [best] = pool.toSorted((one, other) => preference(one) - preference(other));
    return best?.found ?? '';
  };
  const textOf = (wanted: string) =>
    bestOf(wanted, { value: ({ value }) => unescape(value), unwanted: NEVER, wishes: [] });
  const [family = '', given = '', additional, prefix, suffix] = components(
    valueOf('N').replace(LIST_COMMA, ' '),
  );
  const names = isFamilyFirst(family + given)
    ? [family + given, additional]
    : [given, additional, family];
  const structured = [prefix, ...names, suffix].filter(Boolean).join(' ');
  const formatted = textOf('FN');
  // An iPhone writes the company as FN if its owner shows the person as a company.
  const shownCompany = valueOf('X-ABSHOWAS').trim() === 'COMPANY' && structured ? formatted : '';
  const companyName = cleanField(
    components(valueOf('ORG')).find(Boolean) ?? shownCompany,
    'companyName',
  );
  const mobile =
    cleanField(textOf(AS_TYPED_PROPERTIES.mobile), 'mobile') ||
    bestOf('TEL', { value: phone, unwanted: NOT_A_PHONE, wishes: PHONE_WISHES });
  const email =
    cleanField(textOf(AS_TYPED_PROPERTIES.email), 'email') ||
    bestOf('EMAIL', { value: emailAddress, unwanted: NOT_AN_EMAIL, wishes: EMAIL_WISHES });
  // Outlook writes in FN how the contact is filed: 'Nair, Priya', 'Mills' or 'Mills (Nair, Priya)'.
  const isFiledByFamily =
    [family, `${companyName} (${family}`].some((start) => formatted.startsWith(`${start},`)) &&
    formatted.includes(given);
  const isFiledName =
    family !== '' && given !== '' && (isFiledByFamily || formatted === companyName);
  // Some programs write the value of N in FN too, with its semicolons.
  const isOtherName = isFiledName || shownCompany !== '' || valueOf('FN') === valueOf('N');
  const choices = [
    isOtherName ? '' : formatted,
    structured,
    textOf('NICKNAME'),
    companyName,
    email,
    mobile,
  ];
  const name = choices.map((one) => cleanField(one, 'name')).find(Boolean) ?? '';
  return { name, mobile, email, companyName };
}

interface Candidate {
  readonly found: string;
  readonly types: readonly string[];
}

interface Choice {
  /** Returns the value in clean form, or '' if it is not valid. */
  readonly value: (property: Property) => string;
  readonly unwanted: RegExp;
  /** Each wish narrows the candidates to those that meet it, unless none does. The first matters most. */
  readonly wishes: readonly ((one: Candidate) => boolean)[];
}

const hasType = (wanted: RegExp) => (one: Candidate) => one.types.some((type) => wanted.test(type));
const EMAIL_WISHES = [({ found }: Candidate) => emailHint(found) === ''];
const PHONE_WISHES = [
  (one: Candidate) => !hasType(ASSISTANT)(one),
  ({ found }: Candidate) => isPlausiblePhone(found),
  hasType(MOBILE),
];

/** Returns the rank of a candidate. The lowest rank is the most preferred. */
function preference({ types }: Candidate): number {
  const all = types.map((type) => {
    const [, number = NOT_PREFERRED] = /^PREF=(\d+)$/.exec(type) ?? [];
    return type === 'PREF' ? 1 : Number(number);
  });
  return Math.min(...all);
}

/** Returns the positional parts of a value, each of which can be empty (RFC 2426, section 3.1.2). */
function components(value: string): string[] {
  const parts = value.split(/(?<=(?<!\\)(?:\\\\)*);/);
  return parts.map((part) => cleanField(unescape(part), 'name'));
}
