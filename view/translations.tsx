import { displayName } from '#domain/display.ts';
import { inLanguage, languageName } from '#domain/language/language.ts';
import type { Language, PageLanguage } from '#domain/language/language.ts';
import type { Profile } from '#domain/profile.ts';
import { translateProfile } from '#domain/translation.ts';
import type { Translations } from '#domain/translation.ts';

interface TranslationLinksProps extends Pick<PageLanguage, 'language'> {
  /** The card's own texts, not translated. */
  readonly profile: Profile;
  readonly translations: Translations;
}

/** Links to the card in its other languages: each by the name that the person has there, else by its language. */
export function TranslationLinks({ language, profile, translations }: TranslationLinksProps) {
  const current = translations[language] ? language : 'en';
  const name = displayName(translateProfile(profile, translations[current]));
  const textOf = (other: Language) => {
    const own = (other === 'en' ? profile : translations[other])?.name ?? '';
    return own === '' || own === name ? languageName(other) : own;
  };
  const others = (['en', ...Object.keys(translations)] as Language[]).filter(
    (one) => one !== current,
  );
  if (others.length === 0) return null;
  return (
    <p className="card-translations">
      {others.map((other) => (
        <a
          key={other}
          href={inLanguage('', other)}
          lang={other}
          hrefLang={other}
          title={languageName(other)}
        >
          {textOf(other)}
        </a>
      ))}
    </p>
  );
}
