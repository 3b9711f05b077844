import { displayName } from '#domain/display.ts';
import { inFace } from '#domain/translation.ts';
import type { Faces } from '#domain/translation.ts';
import { inLanguage, languageName } from '#domain/language/language.ts';
import type { Language, PageLanguage } from '#domain/language/language.ts';
import type { Profile } from '#domain/profile.ts';

interface FaceLinksProps extends Pick<PageLanguage, 'language'> {
  /** The first face. */
  readonly profile: Profile;
  readonly faces: Faces;
}

/** To the other sides of the card: each by the name that the person has there, else by its language. */
export function FaceLinks({ language, profile, faces }: FaceLinksProps) {
  const current = faces[language] ? language : 'en';
  const name = displayName(inFace(profile, faces[current]));
  const textOf = (other: Language) => {
    const own = (other === 'en' ? profile : faces[other])?.name ?? '';
    return own === '' || own === name ? languageName(other) : own;
  };
  const others = (['en', ...Object.keys(faces)] as Language[]).filter((one) => one !== current);
  if (others.length === 0) return null;
  return (
    <p className="card-faces">
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
