import { StartError } from './start-error.ts';

import type {
  Environment,
  ServiceSettingTable,
  ServiceValues,
  Setting,
  SettingTable,
  SettingValues,
} from './setting.ts';

/** Null if the variable is not set or blank. */
export function readText(environment: Environment, name: string): string | null {
  return environment[name]?.trim() || null;
}

/** Throws StartError that names the first invalid variable. */
export function readTable<Table extends SettingTable>(
  environment: Environment,
  table: Table,
): SettingValues<Table> {
  const values = Object.entries(table).map(([name, setting]) => {
    const text = readText(environment, name) ?? fallbackOf(setting, environment);
    return [name, text === null ? null : parse(name, text, setting)];
  });
  return Object.fromEntries(values) as SettingValues<Table>;
}

/** As `readTable`, for an outside service: no error repeats a value. */
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
    return [name, parse(name, text, { ...setting, isSecret: true })];
  });
  return Object.fromEntries(values) as ServiceValues<Table>;
}

/** As `readServiceTable`, for a service that is perhaps not used. */
export function checkServiceTable(environment: Environment, table: ServiceSettingTable): void {
  for (const [name, setting] of Object.entries(table)) {
    const text = readText(environment, name);
    if (text !== null) parse(name, text, { ...setting, isSecret: true });
  }
}

/** Throws StartError 'X must be set, because …'. */
export function readRequired(environment: Environment, name: string, reason: string): string {
  const text = readText(environment, name);
  if (text === null) throw new StartError(`${name} must be set, because ${reason}.`);
  return text;
}

function fallbackOf({ fallback }: Setting, environment: Environment): string | null {
  return (typeof fallback === 'function' ? fallback(environment) : fallback) ?? null;
}

function parse(name: string, text: string, { schema, isSecret }: Setting): unknown {
  const { data, error } = schema.safeParse(text);
  if (!error) return data;
  const message = `${name} ${error.issues[0]?.message ?? 'is not valid'}`;
  throw new StartError(isSecret ? `${message}.` : `${message}; it is "${text}".`);
}
