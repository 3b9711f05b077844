import { LINKS_MAX, LINK_LABEL_CHARACTERS_MAX } from '#domain/extras.ts';
import type { ExtraLink } from '#domain/extras.ts';
import { parseHandle, parseLink } from '#domain/handle.ts';
import { isBlank } from '#domain/invisible.ts';
import { NETWORKS, networkOf } from '#domain/network.ts';
import type { Network } from '#domain/network.ts';
import { PROFILE_FIELDS, PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { cleanInput } from '#domain/text.ts';

import type { Card, Property } from './cards.ts';
import { toBytes } from './characters.ts';
import { readCardFile } from './file.ts';
import { LEAD_PROPERTIES, isGroup, toLead } from './lead.ts';
import { cleanLine, cutClean, unescape } from './value.ts';

const OWN_PROPERTIES = new RegExp(
  `${LEAD_PROPERTIES.source}|^(?:TITLE|ROLE|NOTE|URL|PHOTO|(?:X-)?SOCIALPROFILE)$`,
);
const LINK_PROPERTY = /^(?:URL|(?:X-)?SOCIALPROFILE)$/;
/** iPhones write this before a user name of a network that they do not know. */
const USER_NAME = /^(?:x-apple:)?([^:/\s]+)$/i;
const WHATSAPP_NUMBER = /(?:wa\.me\/|[?&]phone=)(?:\+|%2B)?(\d+)/i;
/** iPhones write their own labels as `_$!<HomePage>!$_`. */
const APPLE_LABEL = /^_\$!<|>!\$_$/g;

export interface Filling {
  readonly profile: ProfileChange;
  readonly links: readonly ExtraLink[];
  /** The number of values. */
  readonly count: number;
}

export interface Person {
  readonly name: string;
  readonly about: string;
  /** Returns the values for the fields that are empty. `links` is null if the card cannot have any. */
  readonly fill: (card: Profile, links: readonly ExtraLink[] | null) => Filling;
  readonly photo: () => Blob | null;
}

/** Returns the people of a contact file. Rejects with a sentence if there are none. */
export async function readPeople(file: Blob): Promise<readonly Person[]> {
  const people: Person[] = [];
  const problem = await readCardFile(file, OWN_PROPERTIES, (card) => {
    if (isGroup(card)) return;
    const { name, companyName, mobile, email } = toLead(card);
    const about = [companyName, mobile || email].filter((text) => text !== '' && text !== name);
    people.push({
      name: name || 'Unnamed',
      about: about.join(' · '),
      fill: (profile, links) => fillEmpty(profile, links, card),
      photo: () => readPhoto(card),
    });
  });
  if (problem !== '') throw new Error(problem);
  return people;
}

function fillEmpty(card: Profile, links: readonly ExtraLink[] | null, own: Card): Filling {
  const texts = readTexts(own);
  const fields = PROFILE_FIELD_NAMES.filter((name) => isBlank(card[name]) && texts[name] !== '');
  const handles: Partial<Record<Network, string>> = {};
  const added: ExtraLink[] = [];
  for (const { network, value, label } of readLinks(own).toSorted(compareLinks)) {
    const known = { ...card.socialMediaHandles, ...handles };
    const all = [...(links ?? []), ...added];
    if (Object.values(known).includes(value) || all.some(({ url }) => url === value)) continue;
    if (!known[network]) handles[network] = value;
    else if (links && label !== '' && all.length < LINKS_MAX) added.push({ label, url: value });
  }
  const handleCount = Object.keys(handles).length;
  return {
    profile: {
      ...Object.fromEntries(fields.map((name) => [name, texts[name]])),
      ...(handleCount > 0 && { socialMediaHandles: handles }),
    },
    links: added,
    count: fields.length + handleCount + added.length,
  };
}

const WEBSITE = /^(?:website|homepage)$/i;
/**
 * Puts links that are labelled as the website first, because services of digital cards write the card's link before
 * them.
 */
const compareLinks = (one: { label: string }, other: { label: string }) =>
  Number(WEBSITE.test(other.label)) - Number(WEBSITE.test(one.label));

const textOf = ({ properties }: Card, wanted: string) =>
  properties.find(({ name, value }) => name === wanted && value.trim() !== '')?.value ?? '';

function readTexts(card: Card) {
  const { name, mobile, email, companyName } = toLead(card);
  const title = unescape(textOf(card, 'TITLE') || textOf(card, 'ROLE'));
  return {
    // An email or a phone that stands in for the name of a contact is nobody's own name.
    name: name === mobile || name === email ? '' : name,
    designation: cleanLine(title, PROFILE_FIELDS.designation.lengthMax),
    companyName,
    bio: cutClean(cleanInput(unescape(textOf(card, 'NOTE'), '\n')), PROFILE_FIELDS.bio.lengthMax),
    phone: mobile.length <= PROFILE_FIELDS.phone.lengthMax ? mobile : '',
    email,
  };
}

/** A site of one's own is the website. A further one, or a second handle, can be a link of one's own. */
function readLinks({ properties }: Card) {
  return properties.flatMap((property) => {
    if (!LINK_PROPERTY.test(property.name)) return [];
    const text = unescape(property.value).trim();
    const link = readUserName(property, text) ?? parseLink(text);
    if (link === null) return [];
    const network = networkOf(link) ?? 'Web';
    const number = network === 'Whatsapp' ? (WHATSAPP_NUMBER.exec(link)?.[1] ?? '') : null;
    const handle = number === null ? null : parseHandle('Whatsapp', number);
    const value = handle === null ? link : handle.kind === 'value' ? handle.value : null;
    const words = labelOf(property, properties) || new URL(link).hostname.replace(/^www\./, '');
    const label = cutClean(words, LINK_LABEL_CHARACTERS_MAX);
    return value === null ? [] : [{ network, value, label: number === null ? label : '' }];
  });
}

/** Returns the profile of a user name, whose network is in the type of the property, or null. */
function readUserName({ parameters }: Property, text: string): string | null {
  const [, userName] = USER_NAME.exec(text) ?? [];
  const isNamed = (network: Network) => parameters.has(network.toUpperCase());
  const network = parameters.has('TWITTER') ? 'X' : NETWORKS.find(isNamed);
  if (userName === undefined || network === undefined) return null;
  const handle = parseHandle(network, userName);
  return handle.kind === 'value' ? handle.value : null;
}

function labelOf({ group }: Property, properties: readonly Property[]): string {
  const label = properties.find(
    (one) => group !== '' && one.group === group && one.name === 'X-ABLABEL',
  );
  return cleanLine(unescape(label?.value ?? ''), 100).replace(APPLE_LABEL, '');
}

/** Returns the first picture in a contact, or null. A link to a picture is not followed. */
function readPhoto({ properties }: Card): Blob | null {
  const photos = properties.filter(({ name }) => name === 'PHOTO');
  return photos.map(({ value }) => decodePhoto(value)).find((one) => one !== null) ?? null;
}

function decodePhoto(value: string): Blob | null {
  const base64 = value.replace(/\\/g, '').replace(/^data:[^,]*,/i, '');
  try {
    const bytes = toBytes(atob(base64));
    return bytes.length === 0 ? null : new Blob([bytes]);
  } catch {
    return null;
  }
}
