import '#view/any-card.css';
import '#web/shared/ui/draft-card.css';
import './translation.css';

import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';

import type { TranslationsReply } from '#contract/translations.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { CARD } from '#domain/language/en.ts';
import { languageDirection, languageName } from '#domain/language/language.ts';
import type { TranslationLanguage } from '#domain/language/language.ts';
import { PATHS } from '#domain/path.ts';
import { PROFILE_FIELDS, TRANSLATED_FIELD_NAMES } from '#domain/profile-field.ts';
import type { Profile } from '#domain/profile.ts';
import { translateProfile } from '#domain/translation.ts';
import { CardTexts } from '#view/language.tsx';
import { useIsOffline } from '#web/shared/http/query.ts';
import { isLocked, settings } from '#web/shared/http/settings.ts';
import { storedId } from '#web/shared/http/storage.ts';
import type { StoredDraft } from '#web/shared/http/storage.ts';
import { useCardLook } from '#web/shared/profile/card.ts';
import { useStoredDraft } from '#web/shared/profile/draft.ts';
import { LookFailure } from '#web/shared/profile/failures.tsx';
import { useOwner } from '#web/shared/profile/profile.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { DraftCard } from '#web/shared/ui/draft-card.tsx';
import { onSubmit } from '#web/shared/ui/field.tsx';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { LoadState, UnsavedNote } from '#web/shared/ui/note-box.tsx';
import { PageFrame } from '#web/shared/ui/page-frame.tsx';
import { ProfileField } from '#web/shared/ui/profile-field.tsx';

import { translationsQuery, useTranslations } from './use-translations.ts';
import type { TranslationDraft, TranslationsForm } from './use-translations.ts';

/** The page 'Other languages' (docs/develop/product.md#translations). */
export function Page() {
  const profile = useOwner();
  const translations = useQuery(translationsQuery());
  const draft = useStoredDraft<TranslationDraft>('translations', storedId() ?? '');
  return (
    <PageFrame title="Other languages" backPath={PATHS.edit}>
      <LoadState
        query={translations}
        sentence="We couldn't load your card's translations. Check your network."
        offline="Your card's translations need a network. You'll see them when you're back online."
      />
      <LookFailure />
      {(translations.data || !translations.isFetched) &&
        (translations.data && profile && draft ? (
          <Form profile={profile} {...translations.data.body} stored={draft} />
        ) : (
          <div className="translations stack">
            <LoadingStatus>Your card's translations are loading</LoadingStatus>
            <Skeleton height="480px" />
            <Skeleton className="translations-skeleton-card" height="560px" />
          </div>
        ))}
    </PageFrame>
  );
}

interface FormProps extends TranslationsReply {
  readonly profile: Profile;
  readonly stored: StoredDraft<TranslationDraft>;
}

function Form({ profile, translations, stored }: FormProps) {
  // This page exists only if LANGUAGES is set.
  const { languages = [] } = settings();
  const [first = 'hi'] = languages;
  const [language, setLanguage] = useState(translations[0]?.language ?? first);
  const form = useTranslations(profile._id, translations, stored);
  const texts = form.textsOf(language);
  const id = useId();
  return (
    <div className="translations stack">
      <form
        className={`translations-form translations-${languageDirection(language)} stack`}
        noValidate
        aria-busy={form.isSaving}
        onSubmit={onSubmit(form.save)}
      >
        <p className="muted">
          People who read this language see these texts. Leave a field empty to keep the original.
        </p>
        <div className="field stack">
          <label htmlFor={id}>Language of this translation</label>
          <select
            id={id}
            className="field-input"
            value={language}
            onChange={({ target }) => setLanguage(target.value as TranslationLanguage)}
          >
            {languages.map((one) => (
              <option key={one} value={one} lang={one}>
                {languageName(one)}
              </option>
            ))}
          </select>
        </div>
        {TRANSLATED_FIELD_NAMES.map((field) => (
          <ProfileField
            key={field}
            field={field}
            label={field === 'companyName' ? 'Company Name' : PROFILE_FIELDS[field].label}
            autoComplete="off"
            hint={undefined}
            placeholder={profile[field].split('\n')[0]}
            value={texts[field]}
            isLocked={isLocked(field)}
            onChange={(value) => form.change(language, { [field]: value })}
          />
        ))}
        <FormEnd {...form} language={language} />
      </form>
      <Preview profile={translateProfile(profile, texts)} language={language} />
    </div>
  );
}

function FormEnd({
  language,
  ...form
}: TranslationsForm & { readonly language: TranslationLanguage }) {
  const isOffline = useIsOffline();
  const { hasUnsaved, isSaving, hasDraftElsewhere, failure, message, undo } = form;
  return (
    <div className="translations-end row">
      <Button
        type="submit"
        variant={hasUnsaved ? 'main' : 'outlined'}
        isBusy={isSaving}
        disabled={isOffline}
      >
        Save
      </Button>
      {form.isStored(language) && (
        <Button variant="plain" disabled={isOffline} onClick={() => form.remove(language)}>
          Remove
        </Button>
      )}
      {undo && (
        <Button variant="plain" disabled={isOffline} onClick={undo}>
          Undo
        </Button>
      )}
      <UnsavedNote
        isShown={hasUnsaved && !isSaving}
        failure={isOffline ? 'Needs a network.' : failure}
        hasDraftElsewhere={hasDraftElsewhere}
        onDiscard={form.discard}
      />
      <output>{message}</output>
    </div>
  );
}

const CATALOGUES = import.meta.glob<Readonly<Record<string, Catalogue>>>([
  '../../../domain/language/??.ts',
  '!../../../domain/language/en.ts',
]);

interface PreviewProps {
  /** The translated profile, with the unsaved changes. */
  readonly profile: Profile;
  readonly language: TranslationLanguage;
}

/** On a phone the preview is a strip at the top. Screen readers ignore it, because it repeats the form. */
function Preview({ profile, language }: PreviewProps) {
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

/** Returns the English texts until those of `language` have loaded. */
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
