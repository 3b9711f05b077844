import './socials.css';

import { useEffect, useId, useRef, useState } from 'react';

import { useMutation } from '@tanstack/react-query';

import { checkHandle } from '#contract/user.ts';
import { parseHandle } from '#domain/handle.ts';
import type { SocialMediaHandles } from '#domain/handle.ts';
import { HANDLE_LENGTH_MAX, extractLink } from '#domain/link.ts';
import { handleExample, handlePlaceholder } from '#domain/network.ts';
import type { Network } from '#domain/network.ts';
import { NetworkIcon } from '#view/icon.tsx';
import { call } from '#web/shared/http/call.ts';
import { settings } from '#web/shared/http/settings.ts';

import { showAlert } from '#web/shared/http/report.ts';
import { Button, LineIcon } from './button.tsx';
import { CatalogueDialog } from './catalogue-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { Field, onSubmit } from './field.tsx';

interface SocialsProps {
  readonly tiles: readonly Network[];
  readonly handles: SocialMediaHandles;
  /** The card's phone, which the dialog offers for Whatsapp. */
  readonly phone: string;
  /** Called with the handle of the network that was changed. */
  readonly onChange: (handles: SocialMediaHandles) => void;
}

export function Socials({ tiles, handles, phone, onChange }: SocialsProps) {
  const [open, setOpen] = useState<Network | 'catalogue' | null>(null);
  const close = () => setOpen(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const hasRemoved = useRef(false);
  useEffect(() => {
    // The tile that opened the dialog disappears with its network.
    if (hasRemoved.current && document.activeElement === document.body) addButton.current?.focus();
    hasRemoved.current = false;
  });
  return (
    <>
      <ul className="tiles">
        {tiles.map((network) => (
          <li key={network}>
            <Tile
              network={network}
              hasValue={Boolean(handles[network])}
              onClick={() => setOpen(network)}
            />
          </li>
        ))}
        <li>
          <button
            ref={addButton}
            type="button"
            className="tile tile-add"
            onClick={() => setOpen('catalogue')}
          >
            <LineIcon name="plus" />
            <span className="tile-name">Add more</span>
          </button>
        </li>
      </ul>
      {open === 'catalogue' && (
        <CatalogueDialog excluded={tiles} onChoose={setOpen} onClose={close} />
      )}
      {open !== null && open !== 'catalogue' && (
        <HandleDialog
          network={open}
          value={handles[open] ?? ''}
          phone={phone}
          onClose={close}
          onSave={(value) => {
            hasRemoved.current = value === null;
            onChange({ [open]: value });
            close();
          }}
        />
      )}
    </>
  );
}

interface TileProps {
  readonly network: Network;
  readonly hasValue: boolean;
  readonly onClick: () => void;
}

function Tile({ network, hasValue, onClick }: TileProps) {
  const tagId = useId();
  return (
    <button
      type="button"
      className={hasValue ? 'tile tile-filled' : 'tile'}
      aria-describedby={hasValue ? tagId : undefined}
      onClick={onClick}
    >
      <NetworkIcon network={network} iconBaseUrl={settings().iconBaseUrl} />
      <span className="tile-name">{network}</span>
      {hasValue && (
        // The tag is hidden, because the accessible name is the network alone. It is the tile's description.
        <span id={tagId} className="tile-tag tag" aria-hidden="true">
          Edit
        </span>
      )}
    </button>
  );
}

interface HandleDialogProps {
  readonly network: Network;
  readonly value: string;
  readonly phone: string;
  /** Null removes the handle. */
  readonly onSave: (value: string | null) => void;
  readonly onClose: () => void;
}

/** Indian numbers are written in two halves. */
const PHONE_HALF_DIGITS = 5;

/** Returns the ten digits of an Indian phone, or null if the phone is not one. */
function whatsappNumber(phone: string): string | null {
  const entry = parseHandle('Whatsapp', phone);
  return entry.kind === 'value' ? entry.value : null;
}

/** See docs/develop/product.md#handles. */
function HandleDialog({ network, value, phone, onSave, onClose }: HandleDialogProps) {
  const [typed, setTyped] = useState(value);
  const [error, setError] = useState('');
  const isPhone = network === 'Whatsapp';
  const number = isPhone && typed === '' ? whatsappNumber(phone) : null;
  const change = (next: string) => {
    setTyped(next);
    setError('');
  };
  const fillIn = (button: HTMLButtonElement) => {
    change(number ?? '');
    // The button is about to disappear.
    button.form?.querySelector<HTMLElement>('[type="submit"]')?.focus();
  };

  const check = useMutation({
    mutationFn: () => call(checkHandle, { body: { network, text: typed } }),
  });

  const save = () => {
    const entry = parseHandle(network, typed);
    if (entry.kind === 'alert') return showAlert(entry.message);
    if (entry.kind === 'note') return setError(entry.message);
    if (entry.value === null || isPhone) return onSave(entry.value);
    if (check.isPending) return undefined;
    return check.mutate(undefined, {
      // If the service does not answer, the entry is accepted, because the save checks it again.
      onSuccess: ({ body }) => (body?.problem ? setError(body.problem) : onSave(entry.value)),
    });
  };

  return (
    <Dialog title="Connect your socials" onClose={onClose}>
      <form className="handle" onSubmit={onSubmit(save)} noValidate>
        <p className="handle-network row" aria-hidden="true">
          <NetworkIcon network={network} iconBaseUrl={settings().iconBaseUrl} />
          {network}
        </p>
        <Field
          label={network}
          value={typed}
          lengthMax={HANDLE_LENGTH_MAX}
          onChange={change}
          error={error}
          placeholder={handlePlaceholder(network)}
          type={isPhone ? 'tel' : 'url'}
          inputMode={isPhone ? 'tel' : 'url'}
          autoComplete={isPhone ? 'tel' : 'off'}
          autoCapitalize="none"
          spellCheck={false}
          isIdentifier
          pickFromLines={isPhone ? undefined : extractLink}
          enterKeyHint="done"
        />
        {number !== null && (
          <Button className="handle-number" onClick={(event) => fillIn(event.currentTarget)}>
            Use {number.slice(0, PHONE_HALF_DIGITS)} {number.slice(PHONE_HALF_DIGITS)}
          </Button>
        )}
        <HandleExample network={network} />
        <HandleActions {...{ value, onSave, onClose }} isBusy={check.isPending} />
      </form>
    </Dialog>
  );
}

function HandleExample({ network }: Pick<HandleDialogProps, 'network'>) {
  const example = handleExample(network);
  if (example === null) return null;
  return (
    <p className="handle-example muted">
      For example <bdi>{example}</bdi>
    </p>
  );
}

interface HandleActionsProps extends Pick<HandleDialogProps, 'value' | 'onSave' | 'onClose'> {
  readonly isBusy: boolean;
}

function HandleActions({ value, onSave, onClose, isBusy }: HandleActionsProps) {
  return (
    <div className="dialog-actions">
      {value !== '' && (
        <Button className="handle-remove" variant="plain" onClick={() => onSave(null)}>
          Remove
        </Button>
      )}
      <Button onClick={onClose}>Cancel</Button>
      <Button variant="main" type="submit" isBusy={isBusy}>
        Save
      </Button>
    </div>
  );
}
