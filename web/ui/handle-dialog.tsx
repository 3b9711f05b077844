import { useState } from 'react';
import type { FormEvent } from 'react';

import { HANDLE_LENGTH_MAX, parseHandle } from '#domain/handle.ts';
import { handlePlaceholder } from '#domain/network.ts';
import type { Network } from '#domain/network.ts';

import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { showAlert } from './alert.ts';

interface HandleDialogProps {
  readonly network: Network;
  readonly value: string;
  /** Called with what to keep; null removes the handle. */
  readonly onSave: (value: string | null) => void;
  readonly onClose: () => void;
}

/** The single-link entry (specification, sections 2 and 5). */
export function HandleDialog({ network, value, onSave, onClose }: HandleDialogProps) {
  const [typed, setTyped] = useState(value);
  const [note, setNote] = useState('');
  const isPhone = network === 'Whatsapp';

  const save = (event: FormEvent) => {
    event.preventDefault();
    const entry = parseHandle(network, typed);
    if (entry.kind === 'alert') return showAlert(entry.message);
    if (entry.kind === 'note') return setNote(entry.message);
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
            setNote('');
          }}
          note={note}
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
          <Button look="main" type="submit">
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
