import './sheet.css';

import { useId } from 'react';
import type { ReactNode, Ref } from 'react';

import { useMutation } from '@tanstack/react-query';

import type { Contact } from '#contract/contact.ts';
import { initials } from '#domain/display.ts';
import { mailHref, whatsappHref } from '#domain/href.ts';
import { idPalette } from '#domain/palette.ts';
import { Icon, NetworkIcon } from '#view/icon.tsx';
import { Button, IconButton } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';
import { usePhones } from '#web/shared/ui/phone-text.ts';

interface ContactSheetProps {
  readonly contact: Contact;
  /** Over the page, instead of beside the list. */
  readonly isDialog: boolean;
  readonly onClose: () => void;
  readonly titleRef?: Ref<HTMLHeadingElement>;
  readonly children: ReactNode;
}

export function ContactSheet(props: ContactSheetProps) {
  const { contact, isDialog, onClose, titleRef, children } = props;
  const titleId = useId();
  const content = (
    <article
      className={isDialog ? 'contact stack' : 'contact stack panel'}
      aria-labelledby={titleId}
    >
      <header className="contact-head row">
        <Tile contact={contact} />
        <div>
          <h2 ref={titleRef} id={titleId} tabIndex={-1} dir="auto">
            {contact.name}
          </h2>
          {contact.companyName !== '' && (
            <p className="muted" dir="auto">
              {contact.companyName}
            </p>
          )}
        </div>
        <IconButton name="Close" icon="close" onClick={onClose} />
      </header>
      {children}
    </article>
  );
  if (!isDialog) return content;
  return (
    <Dialog
      className="dialog contact-sheet panel"
      aria-labelledby={titleId}
      initialFocus="first"
      onClose={onClose}
    >
      {content}
    </Dialog>
  );
}

/** Decorative: the person's name is next to it. */
export function Tile({ contact: { _id, name } }: { readonly contact: Contact }) {
  const [background, , , light] = idPalette(_id).tones;
  return (
    <span className="corner-tile" style={{ background, color: light }} aria-hidden="true">
      {initials({ name })}
    </span>
  );
}

/** Rows as on the card: the label is the link's name, the value is what is read. */
export function ContactActions({ contact: { mobile, email } }: { readonly contact: Contact }) {
  const { formatPhone, phoneHref } = usePhones();
  const call = phoneHref(mobile);
  const whatsapp = whatsappHref(mobile);
  return (
    <ul className="contact-actions">
      {mobile !== '' && (
        <li className="row">
          {call === null ? (
            <span className="muted">Phone</span>
          ) : (
            <a className="covers muted" href={call}>
              Call
            </a>
          )}
          <bdi>{formatPhone(mobile)}</bdi>
          <Icon name="call" />
        </li>
      )}
      {email !== '' && (
        <li className="row">
          <a className="covers muted" href={mailHref(email)}>
            Email
          </a>
          <bdi>{email}</bdi>
          <Icon name="email" />
        </li>
      )}
      {whatsapp !== null && (
        <li className="row">
          <a
            className="covers muted"
            href={whatsapp}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
          >
            Whatsapp
          </a>
          <bdi>Write a message</bdi>
          <NetworkIcon network="Whatsapp" iconBaseUrl="" />
        </li>
      )}
    </ul>
  );
}

interface SaveToPhoneProps {
  readonly save: () => Promise<void>;
  readonly children?: ReactNode;
}

export function SaveToPhoneButton({ save, children }: SaveToPhoneProps) {
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: save });
  return (
    <div className="contact-save">
      <Button variant="main" isBusy={isPending} onClick={() => mutate()}>
        Save to phone
      </Button>
      {children}
      <output className={error ? 'error' : undefined}>
        {error?.message ?? (isSuccess && 'Open the file to add it to your contacts')}
      </output>
    </div>
  );
}
