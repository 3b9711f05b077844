import { hostname } from 'node:os';
import { readFileSync } from 'node:fs';

import { POLICY_PATHS } from '#domain/path.ts';
import { StartError, reasonOf } from '#server/start-error.ts';

import { readBucket, settingConflicts } from './conflicts.ts';
import type { Environment, Setting } from './schema.ts';
import { SETTINGS } from './table.ts';
import type { Values } from './table.ts';

const ENTRIES = Object.entries<Setting>(SETTINGS);

export type Settings = ReturnType<typeof readSettings>;

export function readSettings(variables: Environment) {
  const problems: string[] = [];
  const environment = readEnvironment(variables, problems);
  const values = readValues(environment, problems);
  problems.push(...missingSettings(environment));
  if (problems.length === 0) problems.push(...settingConflicts(values, environment));
  if (problems.length > 0) throw new StartError(problems.join('\n'));
  const isIndian = values.otpCountries.every((code) => code === 'IN');
  return {
    ...values,
    timeZone: values.timeZone ?? (isIndian ? 'Asia/Kolkata' : 'UTC'),
    securityContact: values.securityContact ?? `mailto:${values.supportEmail}`,
    appUrl: readAppUrl(values),
    policyAdditions: {
      [POLICY_PATHS.terms]: values.termsAddition,
      [POLICY_PATHS.privacy]: values.privacyAddition,
      [POLICY_PATHS.refund]: values.refundAddition,
      [POLICY_PATHS.shipping]: values.shippingAddition,
    } as Readonly<Record<string, string | null>>,
    photoBucket: readBucket(values),
    otpAppId: values.otpAppId || 'tessera',
    // Several nodes need PostgreSQL. A proxy that checks each second and counts two failures has
    // removed this node after 3 s.
    drainSeconds: values.drainSeconds ?? (values.databaseUrl === null ? 0 : 3),
    logLevel: values.logLevel ?? (values.nodeEnv === 'production' ? 'info' : 'warn'),
    nodeName: values.nodeName ?? hostname(),
  };
}

function readValues(environment: Environment, problems: string[]): Values {
  const entries = ENTRIES.map(([name, setting]) => {
    const { schema, fallback, isSecret = false, service } = setting;
    const key = name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const text = environment[name] ?? fallback;
    if (text === undefined) return [key, service ? '' : null];
    const { data, error } = schema.safeParse(text);
    if (error) {
      const value = isSecret || service ? '' : `; it is "${text}"`;
      problems.push(`${name} ${error.issues[0]?.message ?? 'is not valid'}${value}.`);
    }
    return [key, data];
  });
  return Object.fromEntries(entries) as Values;
}

function missingSettings(environment: Environment): string[] {
  return ENTRIES.flatMap(([name, { service = [], fallback }]) => {
    if (environment[name] !== undefined || fallback !== undefined) return [];
    const reason = service.map((one) => reasonFor(one, environment)).find((one) => one !== null);
    return reason ? [`${name} must be set, because ${reason}.`] : [];
  });
}

/** Returns why a service is used; null if it is not. */
function reasonFor(service: string, environment: Environment): string | null {
  const [selector = '', item] = service.split('=');
  if (item === undefined) {
    const isOf = ([name, setting]: [string, Setting]) =>
      environment[name] !== undefined && (setting.service ?? [name]).includes(service);
    const [name] = ENTRIES.find(isOf) ?? [];
    return name === undefined ? null : `${name} is set`;
  }
  const text = environment[selector] ?? '';
  const isChosen = text.split(',').some((one) => one.trim() === item);
  return isChosen ? `${selector} is ${text}` : null;
}

/** Returns only the path if APP_URL leads to this service, because a path keeps the visitor's language. */
function readAppUrl({ appUrl, languages, publicUrl }: Values): string {
  const isOwn = languages.length > 0 && publicUrl !== null && appUrl.startsWith(`${publicUrl}/`);
  return isOwn ? appUrl.slice(publicUrl.length) : appUrl;
}

const FILE_SUFFIX = '_FILE';
/** A shorter setting is only one letter away from variables of other programs. */
const LETTERS_MIN = 5;
const CDN_PURGE = 'a CDN keeps a page for a minute and a picture for an hour';
/** Settings of earlier versions, and why nobody needs them now. */
const REMOVED: Readonly<Record<string, string>> = {
  CDN_PURGE_SECRET: CDN_PURGE,
  CDN_PURGE_URL: CDN_PURGE,
  FIREBASE_API_KEY: 'OTP_PROVIDER can no longer be firebase',
};
/** gettext reads LANGUAGE, which is only one letter away from LANGUAGES. */
const OTHERS = new Set(['LANGUAGE']);
/** Kubernetes and Docker set `<SERVICE>_PORT` to the address of a service. */
const SERVICE_LINK = /^(?:tcp|udp|sctp):\/\//;

/**
 * Returns the variables that are set, without blank ones and links to services. `SECRET_FILE=/run/key` sets
 * SECRET to the content of that file.
 */
function readEnvironment(variables: Environment, problems: string[]): Environment {
  const set = Object.entries(variables).flatMap(([name, value = '']): [string, string][] => {
    const text = value.trim();
    return text === '' || SERVICE_LINK.test(text) ? [] : [[name, text]];
  });
  const environment: Record<string, string | undefined> = Object.fromEntries(set);
  const secrets = ENTRIES.filter(([, { isSecret }]) => isSecret).map(([name]) => name);
  const known = [...Object.keys(SETTINGS), ...secrets.map((name) => name + FILE_SUFFIX)];
  for (const [name] of set) {
    if (known.includes(name) || OTHERS.has(name)) continue;
    const removed = REMOVED[name];
    if (removed !== undefined) {
      problems.push(`${name} is no longer a setting: ${removed}. Remove the variable.`);
      continue;
    }
    const meant = known.find((setting) => isNear(name, setting));
    if (meant === undefined) continue;
    problems.push(
      `${name} is not a setting: did you mean ${meant}? Rename the variable, or remove it.`,
    );
  }
  for (const name of secrets) {
    const path = environment[name + FILE_SUFFIX];
    if (path === undefined) continue;
    if (environment[name] !== undefined)
      problems.push(`${name} and ${name}${FILE_SUFFIX} are both set; remove one of them.`);
    else environment[name] = readSecret(name + FILE_SUFFIX, path, problems);
  }
  return environment;
}

function readSecret(setting: string, path: string, problems: string[]): string | undefined {
  try {
    const content = readFileSync(path, 'utf8').trim();
    if (content !== '') return content;
    problems.push(`${setting}: ${path} is empty. Write the secret into it.`);
  } catch (error) {
    problems.push(
      `${setting}: ${path} cannot be read (${reasonOf(error)}). Correct the path, or let the user of the service (uid ${process.getuid?.()}) read the file.`,
    );
  }
  return undefined;
}

function isNear(name: string, setting: string): boolean {
  const letters = setting.replaceAll('_', '');
  if (name.replaceAll('_', '') === letters) return true;
  return letters.length >= LETTERS_MIN && isOneEdit(name, setting);
}

/** Returns whether inserting, removing or replacing one character turns one text into the other. */
function isOneEdit(one: string, other: string): boolean {
  const lengthMin = Math.min(one.length, other.length);
  let start = 0;
  while (start < lengthMin && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < lengthMin - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return Math.max(one.length, other.length) - start - end <= 1;
}
