import { Fragment, createContext } from 'react';
import type { ReactNode } from 'react';

import type { Catalogue } from '#domain/language/catalogue.ts';
import { CARD } from '#domain/language/en.ts';
import { inLanguage, languageDirection, languageName } from '#domain/language/language.ts';
import type { Language, PageLanguage } from '#domain/language/language.ts';
import type { Translations } from '#domain/translation.ts';

import { Icon } from './icon.tsx';

/** The texts of a card. English for the previews on the owner's pages. */
export const CardTexts = createContext<Catalogue['card']>(CARD);

/** CARD_TEXT: company and email are not cut, but end with an ellipsis where they do not fit. */
export const IsTextWhole = createContext(false);

/** The texts of the link to what a visitor left; null where visitors get none. */
export const ReceiptTexts = createContext<{
  readonly see: string;
  readonly copyLink: string;
  /** A path with the language of the page's address. */
  readonly href: string;
} | null>(null);

/** The direction of the root element; none without the setting. */
export function pageDirection({ language, offered }: PageLanguage) {
  return offered.length > 0 ? languageDirection(language) : undefined;
}

/** A sentence with elements in the places in braces. */
export function fillElements(
  text: string,
  elements: Readonly<Record<string, ReactNode>>,
): ReactNode[] {
  return text
    .split(/\{(\w+)\}/)
    .map((part, index) =>
      index % 2 === 0 ? part : <Fragment key={part}>{elements[part]}</Fragment>,
    );
}

const LANGUAGES_ID = 'languages';

interface LanguageLinksProps extends PageLanguage {
  readonly label: string;
}

export function LanguageLinks({ language, offered, label }: LanguageLinksProps) {
  if (offered.length === 0) return null;
  return (
    <nav id={LANGUAGES_ID} aria-label={label}>
      {offered.map((other) => (
        <a
          key={other}
          href={inLanguage('', other)}
          lang={other}
          aria-current={other === language ? 'true' : undefined}
        >
          {languageName(other)}
        </a>
      ))}
    </nav>
  );
}

interface TranslationLinkProps extends Pick<PageLanguage, 'language'> {
  readonly translations: Translations;
  /** Names the link if the card has several other languages. */
  readonly label: string;
}

/** Links to the card in its other language, or to the languages at the foot if there are several. */
export function TranslationLink({ language, translations, label }: TranslationLinkProps) {
  const current = translations[language] ? language : 'en';
  const others = (['en', ...Object.keys(translations)] as Language[]).filter(
    (one) => one !== current,
  );
  const [other] = others;
  if (other === undefined) return null;
  const link =
    others.length === 1
      ? { href: inLanguage('', other), lang: other, hrefLang: other, children: languageName(other) }
      : { href: `#${LANGUAGES_ID}`, children: label };
  return (
    <a {...link} className="card-language">
      <Icon name="globe" />
      {link.children}
    </a>
  );
}
