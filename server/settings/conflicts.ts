import { X509Certificate, createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';

import { GATEWAY_NAMES } from './login-table.ts';
import type { Environment } from './schema.ts';
import type { Values } from './table.ts';
import { PAGES } from './page-table.ts';

export type BucketSettings = NonNullable<ReturnType<typeof readBucket>>;

/** Amazon needs the bucket in the host name. Most other stores accept it in the path, and some only there. */
const VIRTUAL_HOSTS = /\.amazonaws\.com(?:\.cn)?$/;

export function readBucket(values: Values) {
  const { s3Bucket: bucket, s3Endpoint: endpoint, s3ForcePathStyle: style } = values;
  if (bucket === '') return null;
  // A wildcard certificate does not match a bucket name with a dot.
  const isVirtual = VIRTUAL_HOSTS.test(new URL(endpoint).hostname) && !bucket.includes('.');
  return {
    bucket,
    endpoint,
    region: values.s3Region,
    accessKeyId: values.s3AccessKeyId,
    secretAccessKey: values.s3SecretAccessKey,
    isPathStyle: style === '' ? !isVirtual : style === 'true',
  };
}

export function settingConflicts(values: Values, environment: Environment): readonly string[] {
  const { nodeEnv, pushTestOrigin, webhookTestOrigin, smsGateway, whatsappCountries } = values;
  const isProduction = nodeEnv === 'production';
  const unserved = values.otpCountries.filter((code) => !whatsappCountries.includes(code));
  const testOrigins = { PUSH_TEST_ORIGIN: pushTestOrigin, WEBHOOK_TEST_ORIGIN: webhookTestOrigin };
  return sentencesOf([
    ...Object.entries(testOrigins).map(
      ([name, origin]) =>
        isProduction &&
        origin !== null &&
        `${name} must not be set with NODE_ENV=production; it is "${origin}".`,
    ),
    isProduction &&
      environment['SMS_GATEWAY'] === undefined &&
      values.otpProvider === 'embedded' &&
      `SMS_GATEWAY must be set, because NODE_ENV is production; choose one of ${GATEWAY_NAMES.join(', ')}, where console only prints the codes.`,
    values.dormantDays > 0 &&
      values.otpProvider !== 'embedded' &&
      `DORMANT_DAYS must be 0, because OTP_PROVIDER is ${values.otpProvider}; only embedded knows the devices of an owner.`,
    smsGateway.join() === 'whatsapp' &&
      unserved.length > 0 &&
      `OTP_COUNTRIES has ${unserved.join(',')}, which no gateway of SMS_GATEWAY serves; add it to WHATSAPP_COUNTRIES, or a second gateway to SMS_GATEWAY.`,
    values.otpProvider === 'oidc' &&
      !values.apiBaseUrl.startsWith('/') &&
      'API_BASE_URL must be a path with OTP_PROVIDER=oidc, because the calls need a cookie of the login page.',
    ...bucketConflicts(values),
    keyConflict(values),
  ]);
}

const sentencesOf = (rules: readonly (string | false)[]) => rules.filter((rule) => rule !== false);

function bucketConflicts({ s3Bucket, s3Endpoint, s3ForcePathStyle }: Values) {
  if (s3Bucket === '') return [];
  const { hostname, pathname } = new URL(s3Endpoint);
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  return [
    (hostname.startsWith(`${s3Bucket}.`) || pathname.endsWith(`/${s3Bucket}`)) &&
      'S3_ENDPOINT must be the address of the store, without the bucket in it.',
    s3ForcePathStyle === 'false' &&
      isAddress &&
      'S3_FORCE_PATH_STYLE must be true, because S3_ENDPOINT is an IP address, which cannot have a subdomain.',
  ];
}

function keyConflict(values: Values): string | false {
  if (values.applePassTypeId === '') return false;
  const { applePassKey, applePassKeyPassphrase: passphrase } = values;
  try {
    const key = createPrivateKey({ key: applePassKey, passphrase });
    const isSame = new X509Certificate(values.applePassCertificate).checkPrivateKey(key);
    return !isSame && 'APPLE_PASS_KEY is not the key of APPLE_PASS_CERTIFICATE.';
  } catch {
    return 'APPLE_PASS_KEY cannot be opened with APPLE_PASS_KEY_PASSPHRASE.';
  }
}

/** Returns a sentence for each setting that suits a trial but not a service that people use. */
export function settingWarnings(settings: Values): readonly string[] {
  const { publicUrl, supportEmail, otpProvider, smsGateway, otpTestNumbers } = settings;
  return sentencesOf([
    publicUrl === null &&
      'PUBLIC_URL is not set, so links and QR codes have the host of each request. Set it to the https origin of the service.',
    publicUrl?.startsWith('http:') === true &&
      'PUBLIC_URL is http, so codes and contacts are sent unencrypted, and notifications do not work. Put a proxy with TLS in front, and set PUBLIC_URL to its https origin.',
    supportEmail === PAGES.SUPPORT_EMAIL.fallback &&
      `SUPPORT_EMAIL is ${supportEmail}, which nobody reads. Set it to the address that the policies show.`,
    otpProvider === 'embedded' &&
      smsGateway.includes('console') &&
      'SMS_GATEWAY names console, which delivers no code, and whoever reads the log can sign in as any owner. Set another gateway (docs/operate/sms.md).',
    otpTestNumbers.size > 0 &&
      'OTP_TEST_NUMBERS is set, so whoever knows the code of a test number can sign in with that number. Remove the setting after the test.',
  ]);
}
