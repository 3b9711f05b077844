import { TRANSLATIONS } from './language/language.ts';
import type { Language, Translation } from './language/language.ts';
import { FACE_FIELD_NAMES, mapFaceFields } from './profile-field.ts';
import type { FaceFieldName } from './profile-field.ts';
import type { Profile } from './profile.ts';

/** An empty text means that the first face's is shown. */
export type FaceTexts = Readonly<Record<FaceFieldName, string>>;

/** The sides of a card besides the first one, by language (docs/product.md#faces). */
export type Faces = Readonly<Partial<Record<Language, FaceTexts>>>;

export interface Face extends FaceTexts {
  readonly language: Translation;
}

export const EMPTY_FACE: FaceTexts = mapFaceFields(() => '');

export function hasText(face: FaceTexts): boolean {
  return FACE_FIELD_NAMES.some((name) => face[name] !== '');
}

/** Those of some languages, in their order. Without those that have no text. */
export function shownFaces(faces: Faces, languages: readonly Language[]): Faces {
  const shown = languages.flatMap((language) => {
    const face = faces[language];
    return face && hasText(face) ? [[language, face]] : [];
  });
  return Object.fromEntries(shown) as Faces;
}

/** The card as a visitor in a language sees it. */
export function inFace(profile: Profile, face: FaceTexts = EMPTY_FACE): Profile {
  return { ...profile, ...mapFaceFields((name) => face[name] || profile[name]) };
}

/** As stored: an earlier version may have had fewer fields. */
export function parseFaces(text: string): Faces {
  const stored = JSON.parse(text) as Readonly<Record<string, Partial<FaceTexts>>>;
  const faces = TRANSLATIONS.flatMap((language) => {
    const face = stored[language];
    return face ? [[language, mapFaceFields((name) => face[name] ?? '')]] : [];
  });
  return Object.fromEntries(faces) as Faces;
}
