import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Makes a self-signed certificate for this machine that expires in two days. Returns the paths of it and its key. */
export function makeCertificate(folder: string) {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const options =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost ' +
    `-addext subjectAltName=DNS:localhost,IP:127.0.0.1,IP:127.0.0.2 -keyout ${key} -out ${certificate}`;
  execFileSync('openssl', options.split(' '), { stdio: 'ignore' });
  return { certificate, key };
}
