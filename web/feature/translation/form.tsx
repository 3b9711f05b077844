import { useId, useState } from 'react';

import type { FacesReply } from '#contract/translations.ts';
import { inFace } from '#domain/translation.ts';
import { languageName } from '#domain/language/language.ts';
import type { Translation } from '#domain/language/language.ts';
import type { Profile } from '#domain/profile.ts';
import { FACE_FIELD_NAMES, PROFILE_FIELDS } from '#domain/profile-field.ts';
import { settings } from '#web/shared/http/settings.ts';
import { useIsOffline } from '#web/shared/http/use-is-offline.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { ProfileField } from '#web/shared/ui/profile-field.tsx';
import { UnsavedNote } from '#web/shared/ui/unsaved-note.tsx';

import { Preview } from './preview.tsx';
import { useFaces } from './use-translations.ts';
import type { FaceDraft, FacesForm } from './use-translations.ts';

interface FormProps extends FacesReply {
  readonly profile: Profile;
  /** Null for none. */
  readonly stored: FaceDraft | null;
}

export function Form(props: FormProps) {
  const { languages = [] } = settings();
  const [language, setLanguage] = useState(props.faces[0]?.language ?? languages[0]);
  return language && <FaceForm {...props} {...{ languages, language }} onSelect={setLanguage} />;
}

interface FaceFormProps extends FormProps {
  readonly languages: readonly Translation[];
  readonly language: Translation;
  readonly onSelect: (language: Translation) => void;
}

function FaceForm({ profile, faces, stored, languages, language, onSelect }: FaceFormProps) {
  const form = useFaces(profile._id, faces, stored);
  const texts = form.textsOf(language);
  return (
    <div className="faces stack">
      <form
        className="faces-form stack"
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
        <LanguageSelect {...{ languages, language, onSelect }} />
        {FACE_FIELD_NAMES.map((field) => (
          <ProfileField
            key={field}
            field={field}
            label={field === 'companyName' ? 'Company Name' : PROFILE_FIELDS[field].label}
            autoComplete="off"
            hint={undefined}
            placeholder={profile[field].split('\n')[0]}
            value={texts[field]}
            onChange={(value) => form.change(language, { [field]: value })}
          />
        ))}
        <End form={form} language={language} />
      </form>
      <Preview profile={inFace(profile, texts)} language={language} />
    </div>
  );
}

function LanguageSelect({
  languages,
  language,
  onSelect,
}: Pick<FaceFormProps, 'languages' | 'language' | 'onSelect'>) {
  const id = useId();
  return (
    <div className="field stack">
      <label htmlFor={id}>Language of this face</label>
      <select
        id={id}
        className="field-input"
        value={language}
        onChange={({ target }) => onSelect(target.value as Translation)}
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
  readonly form: FacesForm;
  readonly language: Translation;
}

function End({ form, language }: EndProps) {
  const isOffline = useIsOffline();
  const { hasUnsaved, isSaving, isElsewhere, failure, message, undo } = form;
  return (
    <div className="faces-end row">
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
