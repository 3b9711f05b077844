import { Suspense, lazy } from 'react';

import { EXTRA_FIELDS } from '#domain/extras.ts';
import { CONFIRM_UPI, loginPhoneText } from '#web/shared/otp/purpose.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { ProgressLine } from '#web/shared/ui/loading.tsx';
import { ExtraField } from '#web/shared/ui/profile-field.tsx';

import { LinkFields } from './link-fields.tsx';
import type { EditForm } from './use-edit.ts';
import type { ExtrasForm } from './use-extras.ts';

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

interface ConfirmUpiProps {
  readonly extras: ExtrasForm;
  readonly onSaved: () => void;
}

export function ConfirmUpi({ extras, onSaved }: ConfirmUpiProps) {
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
          onSaved();
        }}
      >
        <p className="edit-new-upi">{extras.valueOf('upi')}</p>
      </VerifyDialog>
    </Suspense>
  );
}
