import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });

/** Creates keys and certificates for passes with openssl, as Apple and Google give them to an operator. */
export function createWalletKeys() {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-wallet-'));
  const path = (name: string) => join(folder, name);
  const newKey = (name: string) => ['-newkey', 'rsa:2048', '-nodes', '-keyout', path(name)];
  const days = ['-days', '30'];
  const authority = [...days, '-subj', '/CN=Test WWDR', '-out', path('ca.pem')];
  openssl('req', '-x509', ...newKey('ca.key'), ...authority);
  const request = ['-subj', '/CN=Pass Type ID/OU=A1B2C3D4E5', '-out', path('pass.csr')];
  openssl('req', ...newKey('pass.key'), ...request);
  const signed = ['-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-out', path('pass.pem')];
  openssl('x509', '-req', '-in', path('pass.csr'), ...signed, ...days);
  const read = (name: string) => readFileSync(path(name), 'utf8');
  return {
    authority: path('ca.pem'),
    path,
    apple: {
      APPLE_PASS_TYPE_ID: 'pass.com.example.card',
      APPLE_PASS_TEAM_ID: 'A1B2C3D4E5',
      APPLE_PASS_CERTIFICATE: read('pass.pem'),
      APPLE_PASS_KEY: read('pass.key'),
      APPLE_PASS_WWDR: read('ca.pem'),
    },
    google: {
      GOOGLE_WALLET_ISSUER_ID: '3388000000012345678',
      GOOGLE_WALLET_ACCOUNT: 'wallet@project.iam.gserviceaccount.com',
      GOOGLE_WALLET_KEY: read('ca.key'),
    },
    dispose: () => rmSync(folder, { recursive: true }),
  };
}
