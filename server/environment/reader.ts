import { StartError } from '#server/start-error.ts';

import type {
  Environment,
  ServiceSettingTable,
  ServiceValues,
  Setting,
  SettingTable,
  SettingValues,
} from './setting.ts';

/** Returns the text of a variable without spaces around it; null if it is not set or blank. */
export function readText(environment: Environment, name: string): string | null {
  return environment[name]?.trim() || null;
}

/** Reads the variables of a table. Throws StartError that names the first invalid one. */
export function readTable<Table extends SettingTable>(
  environment: Environment,
  table: Table,
): SettingValues<Table> {
  const values = Object.entries(table).map(([name, setting]) => {
    const text = readText(environment, name) ?? fallbackOf(setting, environment);
    return [name, text === null ? null : parse(environment, name, { setting, text })];
  });
  return Object.fromEntries(values) as SettingValues<Table>;
}

/**
 * Reads the settings of an outside service. `reason` completes the error for a variable that is
 * missing: 'X must be set, because …'. No error repeats a value. Throws StartError.
 */
export function readServiceTable<Table extends ServiceSettingTable>(
  environment: Environment,
  table: Table,
  reason: string,
): ServiceValues<Table> {
  const values = Object.entries(table).map(([name, setting]) => {
    const fallback = fallbackOf(setting, environment);
    const text =
      fallback === null
        ? readRequired(environment, name, reason)
        : (readText(environment, name) ?? fallback);
    return [name, parseService(environment, name, { setting, text })];
  });
  return Object.fromEntries(values) as ServiceValues<Table>;
}

/**
 * Checks every variable of an outside service's table that is set, also if the service is not used.
 * No error repeats a value. Throws StartError.
 */
export function checkServiceTable(environment: Environment, table: ServiceSettingTable): void {
  for (const [name, setting] of Object.entries(table)) {
    const text = readText(environment, name);
    if (text !== null) parseService(environment, name, { setting, text });
  }
}

/** Returns the text of a variable that must be set. Throws StartError. */
export function readRequired(environment: Environment, name: string, reason: string): string {
  const text = readText(environment, name);
  if (text === null) throw new StartError(`${name} must be set, because ${reason}.`);
  return text;
}

/** Returns the error for an invalid variable. It contains the value. */
export function invalidSetting(environment: Environment, name: string, message: string) {
  return new StartError(`${name} ${message}; it is "${environment[name] ?? ''}".`);
}

function fallbackOf({ fallback }: Setting, environment: Environment): string | null {
  return (typeof fallback === 'function' ? fallback(environment) : fallback) ?? null;
}

function parseService(
  environment: Environment,
  name: string,
  { setting, text }: { setting: Setting; text: string },
): unknown {
  return parse(environment, name, { setting: { ...setting, isSecret: true }, text });
}

function parse(
  environment: Environment,
  name: string,
  { setting, text }: { setting: Setting; text: string },
): unknown {
  const { data, error } = setting.schema.safeParse(text);
  if (!error) return data;
  const message = error.issues[0]?.message ?? 'is not valid';
  throw setting.isSecret
    ? new StartError(`${name} ${message}.`)
    : invalidSetting(environment, name, message);
}
