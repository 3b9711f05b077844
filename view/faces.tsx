import { displayName } from '#domain/display.ts';
import { inFace } from '#domain/face.ts';
import type { Faces } from '#domain/face.ts';
import { inLanguage, languageName } from '#domain/language/language.ts';
import type { Language, PageLanguage } from '#domain/language/language.ts';
import type { Profile } from '#domain/profile.ts';

interface FaceLinksProps extends Pick<PageLanguage, 'language'> {
  /** The first face. */
  readonly profile: Profile;
  readonly faces: Faces;
}

/** To the other sides of the card: each by the name that the person has there. */
export function FaceLinks({ language, profile, faces }: FaceLinksProps) {
  const nameIn = (other: Language) => displayName(inFace(profile, faces[other]));
  const current = faces[language] ? language : 'en';
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
          {nameIn(other) === nameIn(current) ? languageName(other) : nameIn(other)}
        </a>
      ))}
    </p>
  );
}
