import { X509Certificate, createPrivateKey } from 'node:crypto';

import { pattern, text } from '#server/environment/schema.ts';
import { readServiceTable, readText } from '#server/environment/reader.ts';
import type {
  Environment,
  ServiceSettingTable,
  ServiceValues,
} from '#server/environment/setting.ts';
import { StartError } from '#server/environment/start-error.ts';

const PEM = /^-----BEGIN [A-Z ]+-----/;

const pem = (content: string) => pattern(PEM, `must be ${content} in PEM format`);

export const APPLE_PASS_SETTINGS = {
  APPLE_PASS_TYPE_ID: {
    schema: pattern(/^pass\.[\w.-]{1,200}$/, 'must be like pass.com.example.card'),
    example: 'pass.com.example.card',
    help: "the pass type identifier of the operator's account at Apple; sets 'Add to Apple Wallet' on the dashboard",
    defaultHelp: 'none: no passes for Apple Wallet',
  },
  APPLE_PASS_TEAM_ID: {
    schema: pattern(/^[A-Z0-9]{10}$/, 'must be ten capital letters and digits'),
    example: 'A1B2C3D4E5',
    help: 'the team identifier of that account',
  },
  APPLE_PASS_CERTIFICATE: {
    schema: pem('a certificate'),
    example: '-----BEGIN CERTIFICATE-----',
    help: 'the certificate of the pass type in PEM format',
    isSecret: true,
  },
  APPLE_PASS_KEY: {
    schema: pem('a private key'),
    example: '-----BEGIN PRIVATE KEY-----',
    help: 'the private key of that certificate in PEM format',
    isSecret: true,
  },
  APPLE_PASS_KEY_PASSPHRASE: {
    schema: text(),
    example: '',
    fallback: '',
    help: 'the passphrase of an encrypted key',
    isSecret: true,
  },
  APPLE_PASS_WWDR: {
    schema: pem('a certificate'),
    example: '-----BEGIN CERTIFICATE-----',
    help: "Apple's intermediate certificate (WWDR G4) in PEM format",
    isSecret: true,
  },
} satisfies ServiceSettingTable;

export const GOOGLE_WALLET_SETTINGS = {
  GOOGLE_WALLET_ISSUER_ID: {
    schema: pattern(/^\d{1,24}$/, 'must be digits'),
    example: '3388000000012345678',
    help: "the issuer id of the operator's account at Google; sets 'Add to Google Wallet' on the dashboard",
    defaultHelp: 'none: no links to Google Wallet',
  },
  GOOGLE_WALLET_ACCOUNT: {
    schema: pattern(/^[\w.+-]+@[\w.-]+$/, "must be a service account's e-mail address"),
    example: 'wallet@project.iam.gserviceaccount.com',
    help: 'the e-mail address of the service account that signs',
  },
  GOOGLE_WALLET_KEY: {
    schema: pem('a private key'),
    example: '-----BEGIN PRIVATE KEY-----',
    help: 'the private key of that account in PEM format',
    isSecret: true,
  },
} satisfies ServiceSettingTable;

export type ApplePassSettings = ServiceValues<typeof APPLE_PASS_SETTINGS>;
export type GoogleWalletSettings = ServiceValues<typeof GOOGLE_WALLET_SETTINGS>;

/** Null if none of the settings is set. Throws StartError, also for the key of another certificate. */
export function readApplePass(environment: Environment): ApplePassSettings | null {
  const values = readGroup(environment, APPLE_PASS_SETTINGS);
  if (!values) return null;
  const passphrase = values.APPLE_PASS_KEY_PASSPHRASE;
  const certificate = readPem(
    'APPLE_PASS_CERTIFICATE',
    () => new X509Certificate(values.APPLE_PASS_CERTIFICATE),
  );
  const key = readPem('APPLE_PASS_KEY', () =>
    createPrivateKey({ key: values.APPLE_PASS_KEY, passphrase }),
  );
  readPem('APPLE_PASS_WWDR', () => new X509Certificate(values.APPLE_PASS_WWDR));
  if (!certificate.checkPrivateKey(key)) {
    throw new StartError('APPLE_PASS_KEY is not the key of APPLE_PASS_CERTIFICATE.');
  }
  return values;
}

/** Null if none of the settings is set. Throws StartError. */
export function readGoogleWallet(environment: Environment): GoogleWalletSettings | null {
  const values = readGroup(environment, GOOGLE_WALLET_SETTINGS);
  if (values) readPem('GOOGLE_WALLET_KEY', () => createPrivateKey(values.GOOGLE_WALLET_KEY));
  return values;
}

function readGroup<Table extends ServiceSettingTable>(environment: Environment, table: Table) {
  const first = Object.keys(table).find((name) => readText(environment, name));
  return first === undefined ? null : readServiceTable(environment, table, `${first} is set`);
}

function readPem<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch {
    throw new StartError(`${name} cannot be read as PEM.`);
  }
}
