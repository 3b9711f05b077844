import { hostname } from 'node:os';

import { POLICY_PATHS } from '#domain/path.ts';
import { StartError } from '#server/start-error.ts';

import { readBucket, settingConflicts } from './conflicts.ts';
import { readEnvironment } from './environment.ts';
import type { Environment, Setting } from './setting.ts';
import { SETTINGS } from './table.ts';
import type { Values } from './table.ts';

export type Settings = ReturnType<typeof readSettings>;

export function readSettings(variables: Environment) {
  const problems: string[] = [];
  const environment = readEnvironment(variables, SETTINGS, problems);
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
    policyAdditions: policyAdditions(values),
    photoBucket: readBucket(values),
    otpAppId: values.otpAppId || 'tessera',
    limits: addressLimits(values),
    // Several nodes need PostgreSQL. A proxy that checks each second and counts two failures has
    // removed this node after 3 s.
    drainSeconds: values.drainSeconds ?? (values.databaseUrl === null ? 0 : 3),
    logLevel: values.logLevel ?? (values.nodeEnv === 'production' ? 'info' : 'warn'),
    nodeName: values.nodeName ?? hostname(),
  };
}

function readValues(environment: Environment, problems: string[]): Values {
  const entries = Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
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
  return Object.entries<Setting>(SETTINGS).flatMap(([name, { service = [], fallback }]) => {
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
    const [name] = Object.entries<Setting>(SETTINGS).find(isOf) ?? [];
    return name === undefined ? null : `${name} is set`;
  }
  const text = environment[selector] ?? '';
  const isChosen = text.split(',').some((one) => one.trim() === item);
  return isChosen ? `${selector} is ${text}` : null;
}

/** For an address of this service its path, which keeps the visitor's language. */
function readAppUrl({ appUrl, languages, publicUrl }: Values): string {
  const isOwn = languages.length > 0 && publicUrl !== null && appUrl.startsWith(`${publicUrl}/`);
  return isOwn ? appUrl.slice(publicUrl.length) : appUrl;
}

function policyAdditions(values: Values): Readonly<Record<string, string | null>> {
  return {
    [POLICY_PATHS.terms]: values.termsAddition,
    [POLICY_PATHS.privacy]: values.privacyAddition,
    [POLICY_PATHS.refund]: values.refundAddition,
    [POLICY_PATHS.shipping]: values.shippingAddition,
  };
}

function addressLimits(values: Values) {
  return {
    readsPerMinute: values.limitReadsPerMinute,
    invalidPerMinute: values.limitInvalidPerMinute,
    contactsPerHour: values.limitContactsPerHour,
    contactsPerCard: values.limitContactsPerCard,
    codesPerHour: values.limitCodesPerHour,
  };
}
