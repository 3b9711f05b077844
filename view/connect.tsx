import { addressedName } from '#domain/display.ts';
import { LEAD_LENGTHS_MAX } from '#domain/lead-schema.ts';
import { EMAIL_HINT, EMAIL_PATTERN, PHONE_HINT, PHONE_PATTERN } from '#domain/hint.ts';
import { POLICY_PATHS } from '#domain/path.ts';
import type { Profile } from '#domain/profile.ts';

import { Icon } from './icon.tsx';

export const CONNECT_ID = 'connect';
const TITLE_ID = 'connect-title';

interface ConnectProps {
  readonly userId: string;
  readonly name: string;
  readonly sendTo: string;
  readonly countAt?: string | undefined;
  readonly notice: ConnectNotice | null;
}

export interface ConnectNotice {
  readonly text: string;
  readonly version: string;
}

/** The pop-up with the form for a visitor's details (docs/product.md#connect). */
export function Connect({ userId, name, sendTo, countAt, notice }: ConnectProps) {
  return (
    <dialog className="popup" id={CONNECT_ID} popover="auto" aria-labelledby={TITLE_ID}>
      <form method="dialog" data-user={userId} data-send={sendTo} data-count={countAt} noValidate>
        <h2 className="popup-title" id={TITLE_ID}>
          Connect
        </h2>
        <noscript>
          <p>Sending needs JavaScript, which is off in this browser.</p>
        </noscript>
        <button
          className="popup-close"
          type="button"
          aria-label="Close"
          popoverTarget={CONNECT_ID}
          popoverTargetAction="hide"
        >
          <Icon name="close" />
        </button>
        <Note name={name} />
        <Fields />
        {/* A honeypot for bots: people neither see nor focus it. */}
        <input
          className="popup-honeypot"
          name="website"
          tabIndex={-1}
          autoComplete="off"
          aria-hidden="true"
        />
        <button className="button button-filled popup-send">Connect</button>
        {notice && <OperatorNotice {...notice} />}
      </form>
    </dialog>
  );
}

function Fields() {
  return (
    <>
      <Field
        label="Name"
        name="name"
        maxLength={LEAD_LENGTHS_MAX.name}
        autoComplete="name"
        need="Fill in your name."
      />
      <Field
        label="Mobile"
        name="mobile"
        maxLength={LEAD_LENGTHS_MAX.mobile}
        autoComplete="tel"
        inputMode="tel"
        pattern={PHONE_PATTERN}
        hint={PHONE_HINT}
        need="Fill in this or your email."
      />
      <Field
        label="Email"
        name="email"
        maxLength={LEAD_LENGTHS_MAX.email}
        autoComplete="email"
        inputMode="email"
        pattern={EMAIL_PATTERN}
        hint={EMAIL_HINT}
        need="Fill in this or your mobile."
      />
      <Field
        label="Company"
        name="companyName"
        maxLength={LEAD_LENGTHS_MAX.companyName}
        autoComplete="organization"
      />
    </>
  );
}

/** Its script shows the paragraph of what happened. */
export function ConnectOutcome({ profile }: { readonly profile: Profile }) {
  return (
    <div id="outcome" aria-live="polite">
      <p hidden>
        Sent to <bdi>{addressedName(profile)}</bdi>. Save this card too?
      </p>
      <p hidden>
        Not sent.{' '}
        <button type="button" popoverTarget={CONNECT_ID}>
          Try again
        </button>
        <span />
      </p>
      <p hidden>You are offline</p>
    </div>
  );
}

function OperatorNotice({ text, version }: ConnectNotice) {
  return (
    <>
      <p className="popup-note">{text}</p>
      <input type="hidden" name="notice" value={version} />
    </>
  );
}

function Note({ name }: { readonly name: string }) {
  return (
    <p className="popup-note">
      Name, and a mobile number or an e-mail. They go to <bdi>{name}</bdi>.{' '}
      <a href={POLICY_PATHS.privacy} target="_blank">
        Privacy policy
      </a>
    </p>
  );
}

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly maxLength: number;
  readonly autoComplete: string;
  readonly inputMode?: 'tel' | 'email';
  /** Another form shows the hint and is sent all the same. */
  readonly pattern?: string;
  readonly hint?: string;
  /** Shown where the form lacks it. */
  readonly need?: string;
}

/**
 * Hint and need describe the input only while they are shown, because their paragraph is always
 * rendered: a hidden element that is referenced would describe the input nevertheless.
 */
function Field({
  label,
  name,
  maxLength,
  autoComplete,
  inputMode,
  pattern,
  hint,
  need,
}: FieldProps) {
  const isPlain = inputMode === undefined;
  const hintId = need === undefined ? undefined : `${name}-hint`;
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        className="field-input"
        type="text"
        id={name}
        name={name}
        maxLength={maxLength}
        pattern={pattern}
        aria-describedby={hintId}
        aria-required={name === 'name' ? true : undefined}
        autoComplete={autoComplete}
        inputMode={inputMode}
        autoCapitalize={isPlain ? 'words' : 'none'}
        autoCorrect="off"
        spellCheck={false}
        dir="auto"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the browser focuses it when the dialog opens, not when the page loads
        autoFocus={name === 'name'}
        enterKeyHint={name === 'companyName' ? 'send' : 'next'}
      />
      {hintId !== undefined && (
        <p id={hintId} aria-live="polite">
          {hint && <span>{hint}</span>}
          <b>{need}</b>
        </p>
      )}
    </div>
  );
}
