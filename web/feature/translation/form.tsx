import { useId, useState } from 'react';

import type { TranslationsReply } from '#contract/translations.ts';
import { languageDirection, languageName } from '#domain/language/language.ts';
import type { TranslationLanguage } from '#domain/language/language.ts';
import type { Profile } from '#domain/profile.ts';
import { PROFILE_FIELDS, TRANSLATED_FIELD_NAMES } from '#domain/profile-field.ts';
import { translateProfile } from '#domain/translation.ts';
import { isLocked, settings } from '#web/shared/http/settings.ts';
import { useIsOffline } from '#web/shared/http/query.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { ProfileField } from '#web/shared/ui/profile-field.tsx';
import { UnsavedNote } from '#web/shared/ui/note-box.tsx';

import { Preview } from './preview.tsx';
import { useTranslations } from './use-translations.ts';
import type { TranslationDraft, TranslationsForm } from './use-translations.ts';

interface FormProps extends TranslationsReply {
  readonly profile: Profile;
  /** Null for none. */
  readonly stored: TranslationDraft | null;
}

export function Form({ profile, translations, stored }: FormProps) {
  // The page exists only with LANGUAGES.
  const { languages = [] } = settings();
  const [first = 'hi'] = languages;
  const [language, setLanguage] = useState(translations[0]?.language ?? first);
  const form = useTranslations(profile._id, translations, stored);
  const texts = form.textsOf(language);
  return (
    <div className="translations stack">
      <form
        className={`translations-form translations-${languageDirection(language)} stack`}
        noValidate
        aria-busy={form.isSaving}
        onSubmit={(event) => {
          event.preventDefault();
          form.save();
        }}
      >
        <p className="muted">
          Visitors who read another language see your card in it. What you leave empty stays as on
          your card.
        </p>
        <LanguageSelect languages={languages} language={language} onSelect={setLanguage} />
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
        <End form={form} language={language} />
      </form>
      <Preview profile={translateProfile(profile, texts)} language={language} />
    </div>
  );
}

interface LanguageSelectProps {
  readonly languages: readonly TranslationLanguage[];
  readonly language: TranslationLanguage;
  readonly onSelect: (language: TranslationLanguage) => void;
}

function LanguageSelect({ languages, language, onSelect }: LanguageSelectProps) {
  const id = useId();
  return (
    <div className="field stack">
      <label htmlFor={id}>Language of this translation</label>
      <select
        id={id}
        className="field-input"
        value={language}
        onChange={({ target }) => onSelect(target.value as TranslationLanguage)}
      >
        {languages.map((one) => (
          <option key={one} value={one} lang={one}>
            {languageName(one)}
          </option>
        ))}
      </select>
    </div>
  );
}

interface EndProps {
  readonly form: TranslationsForm;
  readonly language: TranslationLanguage;
}

function End({ form, language }: EndProps) {
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
