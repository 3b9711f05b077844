import './extras.css';

import type { ComponentProps } from 'react';

import { EXTRA_FIELDS } from '#domain/extras.ts';
import type { Extra } from '#domain/extras.ts';
import { VerifyDialog } from '#web/shared/embedded/verify-dialog.tsx';
import { CONFIRM_UPI } from '#web/shared/otp/purpose.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Field } from '#web/shared/ui/field.tsx';

import type { ExtrasForm } from './use-extras.ts';

const ADDRESS_ROWS = 3;

const INPUT_PROPS: Readonly<
  Record<Extra, Omit<ComponentProps<typeof Field>, 'label' | 'value' | 'lengthMax' | 'onChange'>>
> = {
  upi: {
    note: 'Visitors pay you with it. A new one needs a code of your login phone.',
    autoCapitalize: 'none',
    autoComplete: 'off',
    inputMode: 'email',
    spellCheck: false,
  },
  gstin: {
    note: 'It contains your PAN (characters 3 to 12), and everybody sees it.',
    autoCapitalize: 'characters',
    autoComplete: 'off',
    spellCheck: false,
  },
  address: {
    note: 'Up to five lines. A press on it opens Maps.',
    autoCapitalize: 'words',
    autoComplete: 'street-address',
    rows: ADDRESS_ROWS,
  },
};

/** Disabled until they are loaded. */
export function ExtraFields({ extras }: { readonly extras: ExtrasForm }) {
  if (extras.names.length === 0) return null;
  return (
    <fieldset className="edit-extras">
      <legend>More on your card</legend>
      {extras.isMissing && (
        <p role="alert" className="edit-extras-failed">
          What you have here could not be loaded. Check your network.{' '}
          <Button onClick={() => void extras.load()}>Try again</Button>
        </p>
      )}
      {extras.names.map((extra) => {
        const { label, lengthMax } = EXTRA_FIELDS[extra];
        const problem = extras.shownProblem(extra);
        return (
          <div key={extra} className={`edit-extra-${extra}`}>
            <Field
              {...INPUT_PROPS[extra]}
              label={label}
              name={extra}
              lengthMax={lengthMax}
              disabled={!extras.isLoaded}
              value={extras.valueOf(extra)}
              error={problem && `${label} ${problem}.`}
              onChange={(value) => extras.change(extra, value)}
              onLeave={() => extras.check(extra)}
            />
          </div>
        );
      })}
    </fieldset>
  );
}

interface ConfirmUpiProps {
  readonly extras: ExtrasForm;
  readonly onSaved: () => void;
}

export function ConfirmUpi({ extras, onSaved }: ConfirmUpiProps) {
  if (extras.account === null) return null;
  return (
    <VerifyDialog
      purpose={CONFIRM_UPI}
      phones={[{ hint: `Your login phone ends with ${extras.account.phoneEnd}.` }]}
      submitLabel="Save"
      send={([token]) => extras.confirm(token)}
      onClose={() => extras.closeConfirmation(false)}
      onDone={() => {
        extras.closeConfirmation(true);
        onSaved();
      }}
    >
      <p className="edit-new-upi">{extras.valueOf('upi')}</p>
    </VerifyDialog>
  );
}
