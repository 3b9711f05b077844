import { hash } from 'node:crypto';

import { NOTICE_VERSION_LENGTH } from '#contract/contact.ts';
import { CATALOGUES } from '#domain/language/catalogues.ts';
import type { Language } from '#domain/language/language.ts';
import { fillText, pluralText } from '#domain/language/plural.ts';
import type { ConnectNotice } from '#view/connect-notice.tsx';
import type { Settings } from '#server/settings/settings.ts';

/** Whether visitors get a receipt of what they leave (docs/dpdp.md). */
export const hasReceipts = ({ connectNotice }: Pick<Settings, 'connectNotice'>): boolean =>
  connectNotice === 'dpdp';

/** Returns the notice below the Connect form in a language; null without one. */
export function createConnectNotice(settings: Settings, language: Language): ConnectNotice | null {
  if (settings.connectNotice === null) return null;
  const hasReceipt = hasReceipts(settings);
  const text = hasReceipt ? dpdpText(settings, language) : settings.connectNotice;
  return { text, version: hash('sha256', text, 'hex').slice(0, NOTICE_VERSION_LENGTH), hasReceipt };
}

/** `{name}` stays open, so that every card has the same version. */
function dpdpText(settings: Settings, language: Language): string {
  const { contactKeepDays: days, productName, supportEmail, dpdpContact } = settings;
  const { notice, kept, keptOpen } = CATALOGUES[language].receipt;
  return fillText(notice, {
    kept: days === null ? keptOpen : pluralText(language, kept, days),
    product: productName,
    contact: dpdpContact,
    support: supportEmail,
  });
}
