import type { Environment } from '#server/environment/setting.ts';
import { readText } from '#server/environment/reader.ts';
import { StartError } from '#server/environment/start-error.ts';

/** A shorter name has a neighbour among the variables of other programs. */
const LETTERS_MIN = 6;
/** Settings of earlier versions, and what to do instead. */
const REMOVED: Readonly<Record<string, string>> = {
  FIREBASE_API_KEY: 'OTP_PROVIDER can no longer be firebase',
};
/** By gettext: a list of languages, beside a setting LANGUAGES. */
const OTHERS = new Set(['LANGUAGE']);
/** Kubernetes and Docker set `<SERVICE>_PORT` to the address of a service. */
const SERVICE_LINK = /^(?:tcp|udp|sctp):\/\//;

/**
 * Returns the environment without the links to other services that Kubernetes and Docker set. Throws
 * StartError for a variable that is set and was removed, or is nearly one of `names` (docs/settings.md).
 */
export function ownVariables(variables: Environment, names: readonly string[]): Environment {
  const own = Object.entries(variables).filter(([, value = '']) => !SERVICE_LINK.test(value));
  const environment = Object.fromEntries(own);
  const known = new Set([...names, ...OTHERS]);
  for (const [name] of own) {
    if (known.has(name) || readText(environment, name) === null) continue;
    const removed = REMOVED[name];
    if (removed !== undefined) {
      throw new StartError(`${name} is no longer a setting: ${removed}. Remove the variable.`);
    }
    const meant = names.find((setting) => isNear(name, setting));
    if (meant === undefined) continue;
    throw new StartError(
      `${name} is not a setting: did you mean ${meant}? Rename the variable, or remove it.`,
    );
  }
  return environment;
}

function isNear(name: string, setting: string): boolean {
  const [letters, settingLetters] = [name, setting].map((text) => text.replaceAll('_', ''));
  if (letters === settingLetters) return true;
  return (settingLetters ?? '').length >= LETTERS_MIN && isOneEdit(name, setting);
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
