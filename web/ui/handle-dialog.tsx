import { useState } from 'react';
import type { FormEvent } from 'react';

import { HANDLE_LENGTH_MAX, parseHandle } from '#domain/handle.ts';
import { handlePlaceholder } from '#domain/network.ts';
import type { Network } from '#domain/network.ts';

import { showAlert } from './alert.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';

interface HandleDialogProps {
  readonly network: Network;
  readonly value: string;
  /** Null removes the handle. */
  readonly onSave: (value: string | null) => void;
  readonly onClose: () => void;
}

/** docs/product.md#handles. */
export function HandleDialog({ network, value, onSave, onClose }: HandleDialogProps) {
  const [typed, setTyped] = useState(value);
  const [error, setError] = useState('');
  const isPhone = network === 'Whatsapp';

  const save = (event: FormEvent) => {
    event.preventDefault();
    const entry = parseHandle(network, typed);
    if (entry.kind === 'alert') return showAlert(entry.message);
    if (entry.kind === 'note') return setError(entry.message);
    return onSave(entry.value);
  };

  return (
    <Dialog title="Connect your socials" onClose={onClose}>
      <form onSubmit={save} noValidate>
        <Field
          label={network}
          value={typed}
          lengthMax={HANDLE_LENGTH_MAX}
          onChange={(next) => {
            setTyped(next);
            setError('');
          }}
          error={error}
          placeholder={handlePlaceholder(network)}
          type={isPhone ? 'tel' : 'url'}
          inputMode={isPhone ? 'tel' : 'url'}
          autoComplete={isPhone ? 'tel' : 'off'}
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="done"
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="main" type="submit">
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
