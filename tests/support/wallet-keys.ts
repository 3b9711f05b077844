import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates keys and certificates for passes like those that an operator gets from Apple and Google. */
export function createWalletKeys() {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-wallet-'));
  const openssl = (command: string) =>
    execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'pipe' });
  openssl('req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=WWDR -keyout ca.key -out ca.pem');
  openssl('req -newkey rsa:2048 -nodes -subj /CN=Me/OU=A1B2C3D4E5 -keyout pass.key -out pass.csr');
  openssl('x509 -req -in pass.csr -CA ca.pem -CAkey ca.key -days 30 -out pass.pem');
  const path = (name: string) => join(folder, name);
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
