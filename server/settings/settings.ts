import { createHash } from 'node:crypto';
import { resolve } from 'node:path';

import { NOTICE_VERSION_LENGTH } from '#contract/contact.ts';
import { POLICY_PATHS } from '#domain/path.ts';

import {
  checkServiceTable,
  readRequired,
  readServiceTable,
  readTable,
  readText,
} from '#server/environment/reader.ts';
import { FILE_SUFFIX, readSecretFiles, secretNames } from '#server/environment/secret-files.ts';
import type {
  Environment,
  ServiceSettingTable,
  SettingTable,
  SettingValues,
} from '#server/environment/setting.ts';
import type { ProviderEntry, ThirdPartySettings } from '#server/adapter/otp/provider.ts';
import { THIRD_PARTIES } from '#server/adapter/otp/providers.ts';
import type { ThirdPartyName } from '#server/adapter/otp/providers.ts';
import { ownVariables } from './misspelt.ts';
import { CDN_SETTINGS } from '#server/adapter/cdn/settings.ts';
import type { CdnSettings } from '#server/adapter/cdn/settings.ts';
import { pageLanguages, readAppUrl } from './page-settings.ts';
import { OWN_SETTINGS } from './setting-groups.ts';
import type { GatewayDescription, GatewayEntry } from '#server/adapter/sms/gateway.ts';
import { GATEWAYS, GATEWAY_NAMES, isWhatsappAlone } from '#server/adapter/sms/gateways.ts';
import type { DeliverySettings } from '#server/adapter/sms/gateways.ts';
import { StartError } from '#server/environment/start-error.ts';
import { BUCKET_SETTINGS, bucketSettings } from '#server/adapter/storage/bucket-settings.ts';
import type { BucketSettings } from '#server/adapter/storage/bucket-settings.ts';
import {
  APPLE_PASS_SETTINGS,
  GOOGLE_WALLET_SETTINGS,
  readApplePass,
  readGoogleWallet,
} from './wallet-settings.ts';

export type Settings = ReturnType<typeof readSettings>;

/** Each table is required with the provider, gateway or store that it belongs to. */
const SERVICE_TABLES: readonly ServiceSettingTable[] = [
  BUCKET_SETTINGS,
  CDN_SETTINGS,
  APPLE_PASS_SETTINGS,
  GOOGLE_WALLET_SETTINGS,
  ...Object.values<ProviderEntry>(THIRD_PARTIES).map(({ description }) => description.keys),
  ...Object.values<GatewayEntry>(GATEWAYS).map(({ description }) => description.keys),
];

/** A setting of two services is in the tables of both. */
export const SETTING_TABLES: readonly SettingTable[] = [OWN_SETTINGS, ...SERVICE_TABLES];

/** The settings that `<NAME>_FILE` can set as well. */
export const SECRET_NAMES = secretNames(SETTING_TABLES);

const NAMES = [
  ...SETTING_TABLES.flatMap((table) => Object.keys(table)),
  ...SECRET_NAMES.map((name) => name + FILE_SUFFIX),
];

/** Throws StartError with a sentence that names the first invalid variable (docs/settings.md). */
export function readSettings(variables: Environment) {
  const environment = readSecretFiles(ownVariables(variables, NAMES), SECRET_NAMES);
  const values = readTable(environment, OWN_SETTINGS);
  for (const table of SERVICE_TABLES) checkServiceTable(environment, table);
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL,
    corsOrigins: values.CORS_ORIGINS,
    trustProxy: values.TRUST_PROXY,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    photoBucket: readBucket(environment),
    databasePoolSize: values.DATABASE_POOL_SIZE,
    secret: values.SECRET,
    timeZone: values.TIME_ZONE,
    sessionDays: values.SESSION_DAYS,
    contactKeepDays: values.CONTACT_KEEP_DAYS,
    connectNotice: values.CONNECT_NOTICE === null ? null : readNotice(values.CONNECT_NOTICE),
    productName: values.PRODUCT_NAME,
    appUrl: readAppUrl(values, values.PUBLIC_URL),
    supportEmail: values.SUPPORT_EMAIL,
    abuseEmail: values.ABUSE_EMAIL,
    /** A URL. */
    securityContact: values.SECURITY_CONTACT,
    jurisdictionState: values.JURISDICTION_STATE,
    policyAdditions: policyAdditions(values),
    iconBaseUrl: values.ICON_BASE_URL,
    hasFullContactFile: values.CONTACT_FILE === 'full',
    views: values.VIEWS,
    cardExtras: values.CARD_EXTRAS,
    /** Of public pages, with English; empty without the setting. */
    languages: pageLanguages(values),
    applePass: readApplePass(environment),
    googleWallet: readGoogleWallet(environment),
    vitalsUrl: values.VITALS_URL,
    apiUrl: values.API_BASE_URL,
    serverUrl: values.SERVER_BASE_URL,
    otpProvider: values.OTP_PROVIDER,
    otpAppId: values.OTP_APP_ID,
    /** Null with the embedded provider. */
    thirdParty:
      values.OTP_PROVIDER === 'embedded'
        ? null
        : readThirdParty(environment, values, values.OTP_PROVIDER),
    otpCountries: values.OTP_COUNTRIES,
    otpTestNumbers: readTestNumbers(environment, values),
    otpSendsPerDay: values.OTP_SENDS_PER_DAY,
    /** For one address. */
    limits: addressLimits(values),
    pushTestOrigin: readPushTestOrigin(values),
    cdn: readCdn(environment),
    ...readDelivery(environment, values),
    drainSeconds: values.DRAIN_SECONDS,
    metricsPort: values.METRICS_PORT,
    metricsToken: values.METRICS_TOKEN,
    logLevel: values.LOG_LEVEL,
    logAddress: values.LOG_ADDRESS,
    nodeName: values.NODE_NAME,
    isProduction: values.NODE_ENV === 'production',
  };
}

type Values = SettingValues<typeof OWN_SETTINGS>;

function policyAdditions(values: Values): Readonly<Record<string, string | null>> {
  return {
    [POLICY_PATHS.terms]: values.TERMS_ADDITION,
    [POLICY_PATHS.privacy]: values.PRIVACY_ADDITION,
    [POLICY_PATHS.refund]: values.REFUND_ADDITION,
    [POLICY_PATHS.shipping]: values.SHIPPING_ADDITION,
  };
}

function addressLimits(values: Values) {
  return {
    readsPerMinute: values.LIMIT_READS_PER_MINUTE,
    invalidPerMinute: values.LIMIT_INVALID_PER_MINUTE,
    contactsPerHour: values.LIMIT_CONTACTS_PER_HOUR,
    contactsPerCard: values.LIMIT_CONTACTS_PER_CARD,
    codesPerHour: values.LIMIT_CODES_PER_HOUR,
  };
}

function readPushTestOrigin({ PUSH_TEST_ORIGIN: origin, NODE_ENV }: Values): string | null {
  if (origin === null || NODE_ENV !== 'production') return origin;
  throw new StartError(
    `PUSH_TEST_ORIGIN must not be set with NODE_ENV=production; it is "${origin}".`,
  );
}

function readNotice(text: string) {
  const hash = createHash('sha256').update(text).digest('hex');
  return { text, version: hash.slice(0, NOTICE_VERSION_LENGTH) };
}

function readBucket(environment: Environment): BucketSettings | null {
  const first = Object.keys(BUCKET_SETTINGS).find((name) => readText(environment, name));
  if (first === undefined) return null;
  readRequired(environment, 'S3_BUCKET', `${first} is set`);
  return bucketSettings(readServiceTable(environment, BUCKET_SETTINGS, 'S3_BUCKET is set'));
}

function readCdn(environment: Environment): CdnSettings | null {
  if (!readText(environment, 'CDN_PURGE_URL')) return null;
  return readServiceTable(environment, CDN_SETTINGS, 'CDN_PURGE_URL is set');
}

/** `until` is in milliseconds since 1970. */
function readTestNumbers(environment: Environment, values: Values) {
  const { OTP_TEST_NUMBERS: codes, OTP_TEST_NUMBERS_UNTIL: until } = values;
  if (codes.size > 0)
    readRequired(environment, 'OTP_TEST_NUMBERS_UNTIL', 'OTP_TEST_NUMBERS is set');
  return { codes, until: (codes.size > 0 && until) || 0 };
}

function readThirdParty(
  environment: Environment,
  values: Values,
  name: ThirdPartyName,
): ThirdPartySettings {
  const { scriptUrl, serviceUrl, keys } = THIRD_PARTIES[name].description;
  const reason = `OTP_PROVIDER is ${name}`;
  const appId = readRequired(environment, 'OTP_APP_ID', reason);
  return {
    appId,
    scriptUrl: values.OTP_SCRIPT_URL ?? scriptUrl,
    serviceUrl: values.OTP_SERVICE_URL ?? serviceUrl,
    origins: values.OTP_ORIGINS,
    keys: readServiceTable(environment, keys, reason),
  };
}

function readDelivery(environment: Environment, values: Values): DeliverySettings {
  if (values.NODE_ENV === 'production' && values.OTP_PROVIDER === 'embedded') {
    readRequired(
      environment,
      'SMS_GATEWAY',
      `NODE_ENV is production; choose one of ${GATEWAY_NAMES.join(', ')}, where console only prints the codes`,
    );
  }
  const gateways = values.SMS_GATEWAY.map((name) => {
    const { serviceUrl, keys }: GatewayDescription = GATEWAYS[name].description;
    return {
      name,
      serviceUrl: serviceUrl === null ? '' : (values.SMS_SERVICE_URL ?? serviceUrl),
      keys: readServiceTable(environment, keys, `SMS_GATEWAY is ${values.SMS_GATEWAY.join(',')}`),
    };
  });
  const whatsappCountries = values.WHATSAPP_COUNTRIES;
  const unserved = values.OTP_COUNTRIES.filter((code) => !whatsappCountries.includes(code));
  if (isWhatsappAlone({ gateways }) && unserved.length > 0) {
    throw new StartError(
      `OTP_COUNTRIES has ${unserved.join(',')}, which no gateway of SMS_GATEWAY serves; add it to WHATSAPP_COUNTRIES, or a second gateway to SMS_GATEWAY.`,
    );
  }
  return { gateways, whatsappCountries };
}
