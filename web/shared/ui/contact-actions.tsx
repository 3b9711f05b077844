import './contact-actions.css';

import { useState } from 'react';
import type { ReactNode } from 'react';

import type { Contact } from '#contract/contact.ts';
import { mailHref, whatsappHref } from '#domain/href.ts';
import { Icon, NetworkIcon } from '#view/icon.tsx';

import { Button } from './button.tsx';
import { usePhones } from './phone-text.ts';

interface ContactActionsProps {
  readonly contact: Pick<Contact, 'mobile' | 'email'>;
}

/** Only the label is the link's name. */
export function ContactActions({ contact: { mobile, email } }: ContactActionsProps) {
  const { formatPhone, phoneHref } = usePhones();
  const call = phoneHref(mobile);
  const whatsapp = whatsappHref(mobile);
  return (
    <ul className="contact-actions">
      {mobile !== '' && (
        <li>
          <Icon name="call" />
          {call === null ? 'Phone' : <a href={call}>Call</a>}
          <span dir="auto">{formatPhone(mobile)}</span>
        </li>
      )}
      {email !== '' && (
        <li>
          <Icon name="email" />
          <a href={mailHref(email)}>Email</a>
          <span dir="auto">{email}</span>
        </li>
      )}
      {whatsapp !== null && (
        <li>
          <NetworkIcon network="Whatsapp" iconBaseUrl="" />
          <a href={whatsapp} target="_blank" rel="noopener noreferrer nofollow ugc">
            Whatsapp
          </a>
        </li>
      )}
    </ul>
  );
}

const SAVED = 'Open the file to add it to your contacts';

interface SaveToPhoneProps {
  /** Returns the sentence of a failure, or ''. */
  readonly save: () => Promise<string>;
  /** A second button. */
  readonly children?: ReactNode;
}

export function SaveToPhoneButton({ save, children }: SaveToPhoneProps) {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const run = async () => {
    setBusy(true);
    setMessage('');
    setMessage((await save()) || SAVED);
    setBusy(false);
  };
  return (
    <div className="contact-save">
      <Button variant="main" isBusy={isBusy} onClick={() => void run()}>
        Save to phone
      </Button>
      {children}
      <output className={message === SAVED ? undefined : 'contact-failure'}>{message}</output>
    </div>
  );
}
