import '#view/card.css';
import './translation.css';

import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';

import type { TranslationsReply } from '#contract/translations.ts';
import { languageDirection, languageName } from '#domain/language/language.ts';
import type { TranslationLanguage } from '#domain/language/language.ts';
import { PATHS } from '#domain/path.ts';
import { PROFILE_FIELDS, TRANSLATED_FIELD_NAMES } from '#domain/profile-field.ts';
import type { Profile } from '#domain/profile.ts';
import { translateProfile } from '#domain/translation.ts';
import { useIsOffline } from '#web/shared/http/query.ts';
import { isLocked, settings } from '#web/shared/http/settings.ts';
import { storedId } from '#web/shared/http/storage.ts';
import { useStoredDraft } from '#web/shared/profile/draft.ts';
import { useOwner } from '#web/shared/profile/profile.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { onSubmit } from '#web/shared/ui/field.tsx';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { FailureBox, UnsavedNote } from '#web/shared/ui/note-box.tsx';
import { PageFrame } from '#web/shared/ui/page-frame.tsx';
import { ProfileField } from '#web/shared/ui/profile-field.tsx';

import { translationsQuery, useTranslations } from './use-translations.ts';
import type { TranslationDraft, TranslationsForm } from './use-translations.ts';
import { Preview } from './preview.tsx';

/** docs/product.md#translations. */
export function Page() {
  const profile = useOwner();
  const translations = useQuery(translationsQuery());
  const draft = useStoredDraft<TranslationDraft>('translations', storedId() ?? '');
  return (
    <PageFrame title="Other languages" backPath={PATHS.edit}>
      {translations.isLoadingError && (
        <FailureBox
          sentence="The translations of your card could not be loaded. Check your network."
          offline="The translations of your card need a network. They appear when you are online again."
          onRetry={() => void translations.refetch()}
        />
      )}
      {!translations.isLoadingError &&
        (translations.data && profile && draft ? (
          <Form profile={profile} {...translations.data.body} stored={draft.value} />
        ) : (
          <div className="translations stack">
            <LoadingStatus>The translations of your card are loading</LoadingStatus>
            <Skeleton height="480px" />
            <Skeleton className="translations-skeleton-card" height="560px" />
          </div>
        ))}
    </PageFrame>
  );
}

interface FormProps extends TranslationsReply {
  readonly profile: Profile;
  readonly stored: TranslationDraft | null;
}

function Form({ profile, translations, stored }: FormProps) {
  // The page exists only with LANGUAGES.
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
          Visitors who read another language see your card in it. What you leave empty stays as on
          your card.
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
        <End {...form} language={language} />
      </form>
      <Preview profile={translateProfile(profile, texts)} language={language} />
    </div>
  );
}

function End({ language, ...form }: TranslationsForm & { readonly language: TranslationLanguage }) {
  const isOffline = useIsOffline();
  const { hasUnsaved, isSaving, isElsewhere, failure, message, undo } = form;
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
        isElsewhere={isElsewhere}
        onDiscard={form.discard}
      />
      <output>{message}</output>
    </div>
  );
}
