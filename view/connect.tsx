import { useContext } from 'react';

import { firstNameWithoutTitle } from '#domain/display.ts';
import { LEAD_LENGTHS_MAX } from '#domain/lead-schema.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { HONEYPOT } from '#domain/lead.ts';
import { EMAIL_PATTERN, PHONE_PATTERN } from '#domain/hint.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { POLICY_PATHS } from '#domain/path.ts';
import type { Profile } from '#domain/profile.ts';

import { NoticeText } from './connect-notice.tsx';
import type { ConnectNotice } from './connect-notice.tsx';
import { Icon } from './icon.tsx';
import { CardTexts, ReceiptTexts, fillElements } from './language.tsx';

export const CONNECT_ID = 'connect';
const TITLE_ID = 'connect-title';

interface ConnectProps {
  readonly texts: Catalogue['page'];
  readonly userId: string;
  readonly name: string;
  readonly sendTo: string;
  readonly countAt?: string | undefined;
  readonly notice: ConnectNotice | null;
}

/** The pop-up with the form for a visitor's details (docs/develop/product.md#connect). */
export function Connect(props: ConnectProps) {
  const { texts, userId, name, sendTo, countAt, notice } = props;
  const card = useContext(CardTexts);
  return (
    <dialog className="popup" id={CONNECT_ID} popover="auto" aria-labelledby={TITLE_ID}>
      <form
        method="dialog"
        data-user={userId}
        data-send={sendTo}
        data-count={countAt}
        data-incomplete={texts.incomplete}
        data-sent={texts.sent}
        data-failed={texts.failed}
        data-connecting={texts.connecting}
        data-copied={texts.copied}
        data-cut={texts.cut}
        noValidate
      >
        <h2 className="popup-title" id={TITLE_ID}>
          {card.connect}
        </h2>
        <noscript>
          <p>{texts.needsScript}</p>
        </noscript>
        <button
          className="popup-close"
          type="button"
          aria-label={texts.close}
          popoverTarget={CONNECT_ID}
          popoverTargetAction="hide"
        >
          <Icon name="close" />
        </button>
        <p className="popup-note">
          {fillElements(texts.connectNote, { name: <bdi>{name}</bdi> })}{' '}
          <a href={POLICY_PATHS.privacy} target="_blank">
            {texts.privacyPolicy}
          </a>
        </p>
        <Fields texts={texts} />
        <Honeypot />
        <button className="button button-filled popup-send">{card.connect}</button>
        {notice && <NoticeText name={name} {...notice} />}
      </form>
    </dialog>
  );
}

/** People neither see nor focus this field. 1Password, LastPass and Bitwarden respect its attributes. */
function Honeypot() {
  return (
    <input
      className="popup-honeypot"
      name={HONEYPOT}
      tabIndex={-1}
      autoComplete="off"
      aria-hidden="true"
      data-1p-ignore=""
      data-lpignore="true"
      data-bwignore=""
    />
  );
}

export type FieldValues = Readonly<Partial<Record<keyof Lead, string>>>;

interface FieldsProps extends Pick<ConnectProps, 'texts'> {
  /** What was typed, if the form is on a page instead of in the pop-up. */
  readonly values?: FieldValues;
}

export function Fields({ texts, values }: FieldsProps) {
  const { email } = useContext(CardTexts);
  return (
    <>
      <Field
        values={values}
        label={texts.name}
        name="name"
        autoComplete="name"
        missingText={texts.needName}
      />
      <Field
        values={values}
        label={texts.mobile}
        name="mobile"
        autoComplete="tel"
        inputMode="tel"
        pattern={PHONE_PATTERN}
        hint={texts.mobileHint}
        missingText={texts.needMobile}
      />
      <Field
        values={values}
        label={email}
        name="email"
        autoComplete="email"
        inputMode="email"
        pattern={EMAIL_PATTERN}
        hint={texts.emailHint}
        missingText={texts.needEmail}
      />
      <Field values={values} label={texts.company} name="companyName" autoComplete="organization" />
    </>
  );
}

/** The form's script shows the paragraph that says what happened. The first one is large, and above Save. */
export function ConnectOutcome({ profile }: { readonly profile: Profile }) {
  const texts = useContext(CardTexts);
  const receipt = useContext(ReceiptTexts);
  const name = <bdi>{firstNameWithoutTitle(profile)}</bdi>;
  return (
    <div id="outcome" aria-live="polite">
      <p hidden>
        {/* The script puts the tiles of both people here. */}
        <i /> {fillElements(texts.sentTo, { name })}
      </p>
      <p hidden>
        {texts.notSent}{' '}
        <button type="button" popoverTarget={CONNECT_ID}>
          {texts.tryAgain}
        </button>
        <span />
      </p>
      <p hidden>{texts.offline}</p>
      <p hidden>{fillElements(texts.openFile, { name })}</p>
      {receipt && (
        <p className="receipt" hidden>
          <a href={receipt.href}>{receipt.see}</a> <button type="button">{receipt.copyLink}</button>
        </p>
      )}
    </div>
  );
}

interface FieldProps {
  readonly values: FieldValues | undefined;
  readonly label: string;
  readonly name: keyof Lead;
  readonly autoComplete: string;
  readonly inputMode?: 'tel' | 'email';
  /** A value that does not match shows the hint, but is sent all the same. */
  readonly pattern?: string;
  readonly hint?: string;
  /** The sentence that is shown if the form was sent without this value. */
  readonly missingText?: string;
}

/**
 * The input's description refers to a paragraph that is always rendered, so it contains only what the paragraph shows.
 * If it referred to a hidden element, that would describe the input nevertheless.
 */
function Field(props: FieldProps) {
  const { values, label, name, autoComplete, inputMode, pattern, hint, missingText } = props;
  const isPlain = inputMode === undefined;
  const hintId = missingText === undefined ? undefined : `${name}-hint`;
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        className="field-input"
        type="text"
        id={name}
        name={name}
        defaultValue={values?.[name]}
        maxLength={LEAD_LENGTHS_MAX[name]}
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
        autoFocus={name === 'name' && values === undefined}
        enterKeyHint={name === 'companyName' ? 'send' : 'next'}
      />
      {hintId !== undefined && (
        <p id={hintId} aria-live="polite">
          {hint && <span>{hint}</span>}
          <b>{missingText}</b>
        </p>
      )}
    </div>
  );
}
