import { Fragment, createContext, useContext } from 'react';
import type { ReactNode } from 'react';

import type { Catalogue } from '#domain/language/catalogue.ts';
import { CARD } from '#domain/language/en.ts';
import { withLanguageQuery, languageDirection, languageName } from '#domain/language/language.ts';
import type { PageLanguage } from '#domain/language/language.ts';

import { Icon } from './icon.tsx';

/** The texts of a card. The previews on the owner's pages use the English ones. */
export const CardTexts = createContext<Catalogue['card']>(CARD);

/** CARD_TEXT=whole shows company and email in full. They end with an ellipsis only if they do not fit. */
export const IsTextWhole = createContext(false);

/** The texts of the link to what a visitor left, or null if visitors get no link. */
export const ReceiptTexts = createContext<{
  readonly see: string;
  readonly copyLink: string;
  /** A path that keeps the language of the page's URL. */
  readonly href: string;
} | null>(null);

/** Returns the direction of the root element, or undefined if LANGUAGES is not set. */
export function pageDirection({ language, offered }: PageLanguage) {
  return offered.length > 0 ? languageDirection(language) : undefined;
}

/** Returns a sentence in which elements replace the names in braces. */
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

/** The style sheet shows the whole of the text beside it while it is open. */
export function MoreToggle() {
  const { readMore, readLess } = useContext(CardTexts);
  return (
    <details className="card-more">
      <summary>
        <span>{readMore}</span>
        <span>{readLess}</span>
      </summary>
    </details>
  );
}

interface LanguageMenuProps extends PageLanguage {
  readonly label: string;
}

/** Shows the present language, and opens the list of all of them. */
export function LanguageMenu({ language, offered, label }: LanguageMenuProps) {
  if (offered.length === 0) return null;
  return (
    <nav className="languages" aria-label={label}>
      <details>
        <summary>
          <Icon name="globe" />
          {languageName(language)}
        </summary>
        <div>
          {offered.map((other) => (
            <a
              key={other}
              href={withLanguageQuery('', other)}
              lang={other}
              aria-current={other === language ? 'true' : undefined}
            >
              {languageName(other)}
            </a>
          ))}
        </div>
      </details>
    </nav>
  );
}
