import { readFileSync } from 'node:fs';

import { StartError, reasonOf } from './start-error.ts';

import { readText } from './reader.ts';
import type { Environment, SettingTable } from './setting.ts';

export const FILE_SUFFIX = '_FILE';

export function secretNames(tables: readonly SettingTable[]): string[] {
  const settings = tables.flatMap((table) => Object.entries(table));
  return settings.flatMap(([name, { isSecret }]) => (isSecret ? [name] : []));
}

/**
 * Returns the environment with each secret that a file contains: `SECRET_FILE=/run/secrets/key` sets
 * SECRET to its content. Throws StartError, also for a secret that is set twice.
 */
export function readSecretFiles(environment: Environment, names: readonly string[]): Environment {
  const found = names.flatMap((name): [string, string][] => {
    const path = readText(environment, name + FILE_SUFFIX);
    if (path === null) return [];
    if (readText(environment, name) !== null) {
      throw new StartError(`${name} and ${name}${FILE_SUFFIX} are both set; remove one of them.`);
    }
    return [[name, readSecret(name + FILE_SUFFIX, path)]];
  });
  return { ...environment, ...Object.fromEntries(found) };
}

function readSecret(setting: string, path: string): string {
  let content: string;
  try {
    content = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new StartError(
      `${setting}: ${path} cannot be read (${reasonOf(error)}). Correct the path, or let the user of the service (uid ${process.getuid?.()}) read the file.`,
    );
  }
  if (content === '')
    throw new StartError(`${setting}: ${path} is empty. Write the secret into it.`);
  return content;
}
