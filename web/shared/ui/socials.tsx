import './socials.css';

import { useEffect, useId, useRef, useState } from 'react';

import { HANDLE_LENGTH_MAX, parseHandle } from '#domain/handle.ts';
import type { SocialMediaHandles } from '#domain/handle.ts';
import { handleExample, handlePlaceholder } from '#domain/network.ts';
import type { Network } from '#domain/network.ts';
import { NetworkIcon } from '#view/icon.tsx';
import { settings } from '#web/shared/http/settings.ts';

import { showAlert } from '#web/shared/http/report.ts';
import { Button, LineIcon } from './button.tsx';
import { CatalogueDialog } from './catalogue-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { Field, onSubmit } from './field.tsx';

interface SocialsProps {
  /** In display order. */
  readonly tiles: readonly Network[];
  readonly handles: SocialMediaHandles;
  /** The card's, offered for Whatsapp. */
  readonly phone: string;
  readonly onChange: (handles: SocialMediaHandles) => void;
}

export function Socials({ tiles, handles, phone, onChange }: SocialsProps) {
  const [open, setOpen] = useState<Network | 'catalogue' | null>(null);
  const close = () => setOpen(null);
  const add = useRef<HTMLButtonElement>(null);
  const hasRemoved = useRef(false);
  useEffect(() => {
    // The tile that opened the dialog disappears with its network.
    if (hasRemoved.current && document.activeElement === document.body) add.current?.focus();
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
            ref={add}
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
        <CatalogueDialog present={tiles} onChoose={setOpen} onClose={close} />
      )}
      {open !== null && open !== 'catalogue' && (
        <HandleDialog
          network={open}
          value={handles[open] ?? ''}
          phone={phone}
          onClose={close}
          onSave={(value) => {
            hasRemoved.current = value === null;
            onChange({ ...handles, [open]: value });
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
        // Hidden, because the accessible name is the network alone; referenced as the description.
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

/** Numbers of India are written in two halves. */
const PHONE_HALF = 5;

/** Null if it is none of ten digits. */
function whatsappNumber(phone: string): string | null {
  const entry = parseHandle('Whatsapp', phone);
  return entry.kind === 'value' ? entry.value : null;
}

/** docs/product.md#handles. */
function HandleDialog({ network, value, phone, onSave, onClose }: HandleDialogProps) {
  const [typed, setTyped] = useState(value);
  const [error, setError] = useState('');
  const isPhone = network === 'Whatsapp';
  const number = isPhone && typed === '' ? whatsappNumber(phone) : null;
  const example = handleExample(network);
  const change = (next: string) => {
    setTyped(next);
    setError('');
  };
  const fillIn = (button: HTMLButtonElement) => {
    change(number ?? '');
    // The button is about to disappear.
    button.form?.querySelector<HTMLElement>('[type="submit"]')?.focus();
  };

  const save = () => {
    const entry = parseHandle(network, typed);
    if (entry.kind === 'alert') return showAlert(entry.message);
    if (entry.kind === 'note') return setError(entry.message);
    return onSave(entry.value);
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
          enterKeyHint="done"
        />
        {number !== null && (
          <Button className="handle-number" onClick={(event) => fillIn(event.currentTarget)}>
            Use {number.slice(0, PHONE_HALF)} {number.slice(PHONE_HALF)}
          </Button>
        )}
        {example !== null && (
          <p className="handle-example muted">
            For example <bdi>{example}</bdi>
          </p>
        )}
        <HandleActions {...{ value, onSave, onClose }} />
      </form>
    </Dialog>
  );
}

type HandleActionsProps = Pick<HandleDialogProps, 'value' | 'onSave' | 'onClose'>;

function HandleActions({ value, onSave, onClose }: HandleActionsProps) {
  return (
    <div className="dialog-actions">
      {value !== '' && (
        <Button className="handle-remove" variant="plain" onClick={() => onSave(null)}>
          Remove
        </Button>
      )}
      <Button onClick={onClose}>Cancel</Button>
      <Button variant="main" type="submit">
        Save
      </Button>
    </div>
  );
}
