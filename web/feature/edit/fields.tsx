import './extras.css';

import {
  EXTRA_FIELDS,
  LINKS_MAX,
  LINK_LABEL_LENGTH_MAX,
  linkProblems,
  parseLinks,
} from '#domain/extras.ts';
import type { ExtraLink } from '#domain/extras.ts';
import { HANDLE_LENGTH_MAX, extractLink } from '#domain/link.ts';
import { PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { isLocked } from '#web/shared/http/settings.ts';
import { CONFIRM_UPI } from '#web/shared/otp/purpose.ts';
import { FillIn } from '#web/shared/vcard/fill-in.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Field } from '#web/shared/ui/field.tsx';
import { LoadState } from '#web/shared/ui/note-box.tsx';
import { ExtraField, ProfileField } from '#web/shared/ui/profile-field.tsx';

import type { EditForm } from './use-edit.ts';

interface FieldsProps {
  /** The saved profile with the unsaved changes. */
  readonly card: Profile;
  readonly saved: Profile;
  readonly onChange: (changed: ProfileChange) => void;
}

export function Fields({ card, saved, onChange }: FieldsProps) {
  return (
    <div className="edit-fields stack">
      {PROFILE_FIELD_NAMES.map((field) => {
        const isFixed = isLocked(field, saved[field]);
        return (
          <div key={field} className={`edit-field edit-field-${field}`}>
            <ProfileField
              field={field}
              value={(isFixed ? saved : card)[field]}
              isLocked={isFixed}
              onChange={(value) => onChange({ [field]: value })}
            />
          </div>
        );
      })}
    </div>
  );
}

export function FillFields(form: EditForm & { readonly profile: Profile }) {
  const { profile, card, extras, change, changeExtras } = form;
  const hasLinks = extras.isLoaded && extras.names.includes('links');
  return (
    <FillIn
      profile={profile}
      card={card}
      links={hasLinks ? parseLinks(extras.valueOf('links')) : null}
      onFill={(filled, links) => {
        change(filled);
        if (links) changeExtras({ links: links.length > 0 ? JSON.stringify(links) : '' });
      }}
    />
  );
}

export function ExtraFields({ extras, changeExtras }: EditForm) {
  if (extras.names.length === 0) return null;
  return (
    <fieldset className="edit-extras stack">
      <legend className="legend">More on your card</legend>
      <div className="edit-extras-state">
        <LoadState
          query={extras.query}
          loading="More on your card is loading"
          sentence="We couldn't load these fields. Check your network."
        />
      </div>
      {extras.names.map((extra) => {
        const problem = extras.visibleProblem(extra);
        const value = extras.valueOf(extra);
        const onChange = (text: string) => changeExtras({ [extra]: text });
        const onLeave = () => extras.showProblem(extra);
        const field = { value, onChange, onLeave, disabled: !extras.isLoaded };
        if (extra === 'links')
          return <LinkFields key={extra} {...field} showsProblems={problem !== ''} />;
        return (
          <div key={extra} className={`edit-extra-${extra}`}>
            <ExtraField
              extra={extra}
              {...field}
              error={problem && `${EXTRA_FIELDS[extra].label} ${problem}.`}
            />
          </div>
        );
      })}
    </fieldset>
  );
}

export function ConfirmUpiDialog({ extras, onUpiConfirmed }: EditForm) {
  if (extras.confirmation === null) return null;
  const { VerifyDialog, account } = extras.confirmation;
  return (
    <VerifyDialog
      purpose={CONFIRM_UPI}
      account={account}
      submitLabel="Save"
      submit={([token]) => extras.saveConfirmedUpi(token)}
      onClose={extras.closeConfirmation}
      onDone={() => {
        extras.closeConfirmation();
        void onUpiConfirmed();
      }}
    >
      <p className="edit-new-upi">{extras.valueOf('upi')}</p>
    </VerifyDialog>
  );
}

const EMPTY_LINK: ExtraLink = { label: '', url: '' };

interface LinkFieldsProps {
  /** The links as JSON, or '' if there are none. */
  readonly value: string;
  readonly disabled: boolean;
  readonly showsProblems: boolean;
  readonly onChange: (value: string) => void;
  readonly onLeave: () => void;
}

function LinkFields({ value, showsProblems, onChange, ...field }: LinkFieldsProps) {
  const typed = parseLinks(value);
  const links = typed.length === 0 ? [EMPTY_LINK] : typed;
  const change = (changed: readonly ExtraLink[]) => onChange(JSON.stringify(changed));
  const problems = links.map(linkProblems);
  const firstInvalid = problems.findIndex(({ label, url }) => label + url !== '');
  /** Names the first field that has a problem, so that the form can find and focus it. */
  const inputName = (index: number, key: keyof ExtraLink) =>
    index === firstInvalid && (key === 'url') === (problems[index]?.label === '')
      ? 'extra-links'
      : undefined;
  return (
    <div className="edit-extra-links stack">
      {links.map((link, index) => {
        const fieldProps = (key: keyof ExtraLink, name: string) => {
          const label = `Link ${index + 1} ${name}`;
          const problem = showsProblems ? (problems[index]?.[key] ?? '') : '';
          return {
            ...field,
            label,
            name: inputName(index, key),
            value: link[key],
            error: problem && `${label} ${problem}.`,
            onChange: (text: string) => change(links.with(index, { ...link, [key]: text })),
          };
        };
        return (
          // eslint-disable-next-line react/no-array-index-key -- a link has no identity but its place
          <div key={index} className="edit-link">
            <Field {...fieldProps('label', 'text')} lengthMax={LINK_LABEL_LENGTH_MAX} />
            <Field
              {...fieldProps('url', 'address')}
              lengthMax={HANDLE_LENGTH_MAX}
              inputMode="url"
              autoCapitalize="none"
              spellCheck={false}
              isIdentifier
              pickFromLines={extractLink}
            />
            {value !== '' && (
              <Button variant="plain" onClick={() => change(links.toSpliced(index, 1))}>
                {`Remove link ${index + 1}`}
              </Button>
            )}
          </div>
        );
      })}
      {/* Another device may have added a link in the meantime. */}
      {links.length > LINKS_MAX && (
        <p
          role="alert"
          className="error"
        >{`A card can have up to ${LINKS_MAX} links. Remove one first.`}</p>
      )}
      {links.length < LINKS_MAX && (
        <Button disabled={field.disabled} onClick={() => change([...links, EMPTY_LINK])}>
          Add a link
        </Button>
      )}
    </div>
  );
}
