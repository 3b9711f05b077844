import { PAGES } from './page-table.ts';
import type { Settings } from './settings.ts';

type Warned = 'publicUrl' | 'supportEmail' | 'otpProvider' | 'smsGateway';

/** Returns a sentence for each setting that suits a trial, and not a service that people use. */
export function settingWarnings(settings: Pick<Settings, Warned>): string[] {
  const { publicUrl, supportEmail, otpProvider, smsGateway } = settings;
  const warnings: readonly (readonly [boolean, string])[] = [
    [
      publicUrl === null,
      'PUBLIC_URL is not set, so links and QR codes have the host of each request. Set it to the https origin of the service.',
    ],
    [
      publicUrl?.startsWith('http:') === true,
      'PUBLIC_URL is http, so codes and contacts are sent unencrypted, and notifications do not work. Put a proxy with TLS in front, and set PUBLIC_URL to its https origin.',
    ],
    [
      supportEmail === PAGES.SUPPORT_EMAIL.fallback,
      `SUPPORT_EMAIL is ${supportEmail}, which nobody reads. Set it to the address that the policies show.`,
    ],
    [
      otpProvider === 'embedded' && smsGateway.includes('console'),
      'SMS_GATEWAY names console, which delivers no code, and whoever reads the log can sign in as any owner. Set another gateway (docs/sms.md).',
    ],
  ];
  return warnings.flatMap(([applies, sentence]) => (applies ? [sentence] : []));
}
