import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Makes a certificate for this machine, which signs itself and ends in two days; returns it and its key. */
export function makeCertificate(folder: string) {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const options =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost ' +
    `-addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout ${key} -out ${certificate}`;
  execFileSync('openssl', options.split(' '), { stdio: 'ignore' });
  return { certificate, key };
}
