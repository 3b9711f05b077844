import { readFileSync } from 'node:fs';

import { reasonOf } from '#server/start-error.ts';

import type { Environment, SettingTable } from './setting.ts';

const FILE_SUFFIX = '_FILE';
/** A shorter name has a neighbour among the variables of other programs. */
const LETTERS_MIN = 6;
const CDN_PURGE = 'a CDN keeps a page for a minute and a picture for an hour';
/** Settings of earlier versions, and what to do instead. */
const REMOVED: Readonly<Record<string, string>> = {
  CDN_PURGE_SECRET: CDN_PURGE,
  CDN_PURGE_URL: CDN_PURGE,
  FIREBASE_API_KEY: 'OTP_PROVIDER can no longer be firebase',
};
/** By gettext: a list of languages, beside a setting LANGUAGES. */
const OTHERS = new Set(['LANGUAGE']);
/** Kubernetes and Docker set `<SERVICE>_PORT` to the address of a service. */
const SERVICE_LINK = /^(?:tcp|udp|sctp):\/\//;

/**
 * Blank ones and links to services are absent. `SECRET_FILE=/run/secrets/key` sets SECRET to the
 * file's content.
 */
export function readEnvironment(
  variables: Environment,
  settings: SettingTable,
  problems: string[],
): Environment {
  const set = Object.entries(variables).flatMap(([name, value = '']): [string, string][] => {
    const text = value.trim();
    return text === '' || SERVICE_LINK.test(text) ? [] : [[name, text]];
  });
  const environment: Record<string, string | undefined> = Object.fromEntries(set);
  const names = Object.keys(settings);
  const secrets = names.filter((name) => settings[name]?.isSecret);
  const known = [...names, ...secrets.map((name) => name + FILE_SUFFIX)];
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

/** Whether one inserted, removed or replaced character makes one text of the other. */
function isOneEdit(one: string, other: string): boolean {
  const lengthMin = Math.min(one.length, other.length);
  let start = 0;
  while (start < lengthMin && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < lengthMin - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return Math.max(one.length, other.length) - start - end <= 1;
}
