import './extras.css';

import { Suspense, lazy } from 'react';

import {
  EXTRA_FIELDS,
  LINKS_MAX,
  LINK_LABEL_LENGTH_MAX,
  linkProblems,
  parseLinks,
} from '#domain/extras.ts';
import type { ExtraLink } from '#domain/extras.ts';
import { HANDLE_LENGTH_MAX } from '#domain/handle.ts';
import { PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { isLocked } from '#web/shared/http/settings.ts';
import { CONFIRM_UPI, loginPhoneText } from '#web/shared/otp/purpose.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Field } from '#web/shared/ui/field.tsx';
import { ProgressLine } from '#web/shared/ui/loading.tsx';
import { ExtraField, ProfileField } from '#web/shared/ui/profile-field.tsx';

import type { EditForm } from './use-edit.ts';

interface FieldsProps {
  /** With what was typed. */
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

/** Disabled until they are loaded. */
export function ExtraFields({ extras, changeExtras }: EditForm) {
  if (extras.names.length === 0) return null;
  return (
    <fieldset className="edit-extras stack">
      <legend className="legend">More on your card</legend>
      {extras.isMissing && (
        <p role="alert" className="edit-extras-failed row">
          What you have here could not be loaded. Check your network.{' '}
          <Button onClick={extras.load}>Try again</Button>
        </p>
      )}
      {extras.names.map((extra) => {
        const problem = extras.shownProblem(extra);
        const value = extras.valueOf(extra);
        const onChange = (text: string) => changeExtras({ [extra]: text });
        const onLeave = () => extras.check(extra);
        const field = { value, onChange, onLeave, disabled: !extras.isLoaded };
        if (extra === 'links')
          return <LinkFields key={extra} {...field} isChecked={problem !== ''} />;
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

const VerifyDialog = lazy(async () => ({
  default: (await import('#web/shared/embedded/verify-dialog.tsx')).VerifyDialog,
}));

export function ConfirmUpi({ extras, onUpiConfirmed }: EditForm) {
  if (extras.account === null) return null;
  return (
    <Suspense fallback={<ProgressLine />}>
      <VerifyDialog
        purpose={CONFIRM_UPI}
        phones={[{ hint: loginPhoneText(extras.account) }]}
        submitLabel="Save"
        send={([token]) => extras.confirm(token)}
        onClose={extras.closeConfirmation}
        onDone={() => {
          extras.closeConfirmation();
          onUpiConfirmed();
        }}
      >
        <p className="edit-new-upi">{extras.valueOf('upi')}</p>
      </VerifyDialog>
    </Suspense>
  );
}

const NO_LINK: ExtraLink = { label: '', url: '' };

interface LinkFieldsProps {
  /** The links in JSON, or ''. */
  readonly value: string;
  readonly disabled: boolean;
  readonly isChecked: boolean;
  readonly onChange: (value: string) => void;
  readonly onLeave: () => void;
}

function LinkFields({ value, isChecked, onChange, ...field }: LinkFieldsProps) {
  const typed = parseLinks(value);
  const links = typed.length === 0 ? [NO_LINK] : typed;
  const change = (changed: readonly ExtraLink[]) => onChange(JSON.stringify(changed));
  const problems = links.map(linkProblems);
  const first = problems.findIndex(({ label, url }) => label + url !== '');
  /** The form finds the first field with a problem by its name. */
  const nameOf = (at: number, key: keyof ExtraLink) =>
    at === first && (key === 'url') === (problems[at]?.label === '') ? 'extra-links' : undefined;
  return (
    <div className="edit-extra-links stack">
      {links.map((link, at) => {
        const fieldOf = (key: keyof ExtraLink, name: string) => {
          const label = `Link ${at + 1} ${name}`;
          const problem = isChecked ? (problems[at]?.[key] ?? '') : '';
          return {
            ...field,
            label,
            name: nameOf(at, key),
            value: link[key],
            error: problem && `${label} ${problem}.`,
            onChange: (text: string) => change(links.with(at, { ...link, [key]: text })),
          };
        };
        return (
          // eslint-disable-next-line react/no-array-index-key -- a link has no identity but its place
          <div key={at} className="edit-link">
            <Field {...fieldOf('label', 'text')} lengthMax={LINK_LABEL_LENGTH_MAX} />
            <Field
              {...fieldOf('url', 'address')}
              lengthMax={HANDLE_LENGTH_MAX}
              inputMode="url"
              autoCapitalize="none"
              spellCheck={false}
            />
            {value !== '' && (
              <Button variant="plain" onClick={() => change(links.toSpliced(at, 1))}>
                {`Remove link ${at + 1}`}
              </Button>
            )}
          </div>
        );
      })}
      {links.length < LINKS_MAX && (
        <Button disabled={field.disabled} onClick={() => change([...links, NO_LINK])}>
          Add a link
        </Button>
      )}
    </div>
  );
}
