import { useId, useState } from 'react';

import { inFace } from '#domain/face.ts';
import { languageName } from '#domain/language/language.ts';
import type { Translation } from '#domain/language/language.ts';
import type { Profile } from '#domain/profile.ts';
import { FACE_FIELD_NAMES, PROFILE_FIELDS } from '#domain/profile-field.ts';
import { settings } from '#web/shared/http/settings.ts';
import { useIsOffline } from '#web/shared/http/use-is-offline.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { ProfileField } from '#web/shared/ui/profile-field.tsx';

import { Preview } from './preview.tsx';
import { useFaces } from './use-faces.ts';
import type { LoadedFaces } from './use-faces.ts';

interface FormProps {
  readonly profile: Profile;
  readonly loaded: LoadedFaces;
}

export function Form({ profile, loaded }: FormProps) {
  const { languages = [] } = settings();
  const [language, setLanguage] = useState(loaded.faces[0]?.language ?? languages[0]);
  return (
    language && <FaceForm {...{ profile, loaded, languages, language }} onSelect={setLanguage} />
  );
}

interface FaceFormProps extends FormProps {
  readonly languages: readonly Translation[];
  readonly language: Translation;
  readonly onSelect: (language: Translation) => void;
}

function FaceForm({ profile, loaded, languages, language, onSelect }: FaceFormProps) {
  const { textsOf, change, save, ...faces } = useFaces(profile._id, loaded);
  const texts = textsOf(language);
  return (
    <div className="faces">
      <form
        className="faces-form"
        noValidate
        aria-busy={faces.isSaving}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <p>
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
            onChange={(value) => change(language, { [field]: value })}
          />
        ))}
        <End
          {...faces}
          isStored={faces.isStored(language)}
          onRemove={() => faces.remove(language)}
        />
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
    <div className="field">
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

interface EndProps extends Pick<
  ReturnType<typeof useFaces>,
  'hasUnsaved' | 'isSaving' | 'canUndo' | 'undo' | 'message'
> {
  readonly isStored: boolean;
  readonly onRemove: () => Promise<void>;
}

function End({ hasUnsaved, isSaving, canUndo, undo, message, isStored, onRemove }: EndProps) {
  const isOffline = useIsOffline();
  return (
    <div className="faces-end">
      <Button
        type="submit"
        variant={hasUnsaved ? 'main' : 'outlined'}
        isBusy={isSaving}
        disabled={isOffline}
      >
        Save
      </Button>
      {isStored && (
        <Button variant="plain" disabled={isOffline} onClick={() => void onRemove()}>
          Remove
        </Button>
      )}
      {canUndo && (
        <Button variant="plain" disabled={isOffline} onClick={() => void undo()}>
          Undo
        </Button>
      )}
      <output>{isOffline ? 'Needs a network.' : message}</output>
    </div>
  );
}
