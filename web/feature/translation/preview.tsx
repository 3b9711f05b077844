import '#web/shared/ui/draft-card.css';

import { useQuery } from '@tanstack/react-query';

import type { Catalogue } from '#domain/language/catalogue.ts';
import { CARD } from '#domain/language/en.ts';
import { languageDirection } from '#domain/language/language.ts';
import type { TranslationLanguage } from '#domain/language/language.ts';
import type { Profile } from '#domain/profile.ts';
import { CardTexts } from '#view/language.tsx';
import { useCardLook } from '#web/shared/profile/card.ts';
import { DraftCard } from '#web/shared/ui/draft-card.tsx';

const CATALOGUES = import.meta.glob<Readonly<Record<string, Catalogue>>>([
  '../../../domain/language/??.ts',
  '!../../../domain/language/en.ts',
]);

interface PreviewProps {
  /** With what was typed. */
  readonly profile: Profile;
  readonly language: TranslationLanguage;
}

/** On a phone a strip at the top. Hidden from screen readers: it repeats the form. */
export function Preview({ profile, language }: PreviewProps) {
  const { palette, logo } = useCardLook(profile);
  const texts = useCardTexts(language);
  return (
    <aside className="translations-preview card-strip side-preview" aria-hidden="true">
      <div lang={language} dir={languageDirection(language)}>
        <CardTexts value={texts}>
          <DraftCard profile={profile} palette={palette} logo={logo} />
        </CardTexts>
      </div>
    </aside>
  );
}

/** English until they are loaded. */
function useCardTexts(language: TranslationLanguage): Catalogue['card'] {
  const { data } = useQuery({
    queryKey: ['texts', language],
    queryFn: async () => {
      const catalogues = await CATALOGUES[`../../../domain/language/${language}.ts`]?.();
      return catalogues?.[language]?.card ?? CARD;
    },
    staleTime: Infinity,
  });
  return data ?? CARD;
}
