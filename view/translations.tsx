import { inLanguage, languageName } from '#domain/language/language.ts';
import type { Language, PageLanguage } from '#domain/language/language.ts';
import type { Translations } from '#domain/translation.ts';

import { Icon } from './icon.tsx';
import { LANGUAGES_ID } from './language.tsx';

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
