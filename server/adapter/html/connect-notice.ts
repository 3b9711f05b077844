import { hash, randomUUID } from 'node:crypto';

import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

import { countVisitPath } from '#contract/analytics.ts';
import { NOTICE_VERSION_LENGTH, addContact } from '#contract/contact.ts';
import { displayName } from '#domain/display.ts';
import { CATALOGUES } from '#domain/language/catalogues.ts';
import { withLanguageQuery } from '#domain/language/language.ts';
import type { Language, PageLanguage } from '#domain/language/language.ts';
import { fillText, pluralText } from '#domain/language/plural.ts';
import type { Profile } from '#domain/profile.ts';
import { escapeHtml } from '#view/card-page.tsx';
import { Connect } from '#view/connect.tsx';
import type { ConnectNotice } from '#view/connect-notice.tsx';
import { CardTexts } from '#view/language.tsx';
import type { Settings } from '#server/settings/settings.ts';

/** Returns whether visitors get a receipt for the details that they leave (docs/operate/dpdp.md). */
export const hasReceipts = ({ connectNotice }: Pick<Settings, 'connectNotice'>): boolean =>
  connectNotice === 'dpdp';

/** Returns the notice below the Connect form in a language, or null if there is none. */
export function createConnectNotice(settings: Settings, language: Language): ConnectNotice | null {
  if (settings.connectNotice === null) return null;
  const hasReceipt = hasReceipts(settings);
  const text = hasReceipt ? dpdpText(settings, language) : settings.connectNotice;
  return { text, version: hash('sha256', text, 'hex').slice(0, NOTICE_VERSION_LENGTH), hasReceipt };
}

/** Keeps the placeholder `{name}`, so that every card has the same version. */
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

/** The HTML contains these slots, which each card fills. They are random, so that no card contains them. */
const [ID_SLOT, NAME_SLOT] = [randomUUID(), randomUUID()];

/** The pop-ups of two cards differ only by the owner's id and name, so each language is rendered once. */
export function createConnectRenderer(settings: Settings) {
  const { serverBaseUrl: serverUrl, views } = settings;
  const contactUrl = `${serverUrl}${addContact.path}`;
  const countAt = views.has('analytics') ? `${serverUrl}${countVisitPath(ID_SLOT)}` : undefined;
  const htmlByLanguage = new Map<Language, string>();
  const render = (language: Language) => {
    const { card, page: texts } = CATALOGUES[language];
    const sendTo = language === 'en' ? contactUrl : withLanguageQuery(contactUrl, language);
    const notice = createConnectNotice(settings, language);
    const props = {
      texts,
      userId: ID_SLOT,
      name: NAME_SLOT,
      sendTo,
      countAt,
      notice,
    };
    return renderToStaticMarkup(
      createElement(CardTexts, { value: card }, createElement(Connect, props)),
    );
  };
  return ({ language }: PageLanguage, profile: Profile): string => {
    const html = htmlByLanguage.get(language) ?? render(language);
    htmlByLanguage.set(language, html);
    const name = escapeHtml(displayName(profile));
    return html.replaceAll(ID_SLOT, profile._id).replaceAll(NAME_SLOT, () => name);
  };
}
