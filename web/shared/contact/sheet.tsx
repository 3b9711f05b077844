import './sheet.css';

import { useId } from 'react';
import type { ComponentProps, ReactNode, Ref } from 'react';

import { useMutation } from '@tanstack/react-query';

import type { Contact } from '#contract/contact.ts';
import { mailHref } from '#domain/href.ts';
import { HONEYPOT_FILLED, HONEYPOT_NOTE } from '#domain/lead.ts';
import { Icon, NetworkIcon } from '#view/icon.tsx';
import { SharedTile } from '#view/shared-tile.tsx';
import { storedId } from '#web/shared/http/storage.ts';
import { Button, IconButton } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';
import { contactPhone, usePhoneFormat } from '#web/shared/ui/phone-text.ts';

interface ContactSheetProps {
  readonly contact: Contact;
  /** Whether the sheet covers the page instead of standing beside the list. */
  readonly isDialog: boolean;
  readonly onClose: () => void;
  readonly titleRef?: Ref<HTMLHeadingElement>;
  readonly children: ReactNode;
}

export function ContactSheet(props: ContactSheetProps) {
  const { contact, isDialog, onClose, titleRef, children } = props;
  const titleId = useId();
  const { formatPhone } = usePhoneFormat();
  const content = (
    <article
      className={isDialog ? 'contact stack' : 'contact stack panel'}
      aria-labelledby={titleId}
    >
      <header className="contact-head row">
        <Tile contact={contact} />
        <div>
          <h2 ref={titleRef} id={titleId} tabIndex={-1}>
            <bdi>{contact.name}</bdi>
          </h2>
          {contact.companyName !== '' && (
            <p>
              <bdi>{contact.companyName}</bdi>
            </p>
          )}
          {contact.mobile !== '' && (
            <p className="muted">
              <bdi>{formatPhone(contact.mobile)}</bdi>
            </p>
          )}
          {contact.email !== '' && (
            <p className="muted">
              <bdi>{contact.email}</bdi>
            </p>
          )}
        </div>
        <IconButton name="Close" icon="close" onClick={onClose} />
      </header>
      <HeldReason contact={contact} />
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

export function HeldReason({ contact }: { readonly contact: Contact }) {
  if (contact.heldReason !== HONEYPOT_FILLED) return null;
  return <small className="contact-held-reason note">{HONEYPOT_NOTE}</small>;
}

export function Tile({ contact }: { readonly contact: Contact }) {
  return <SharedTile ownerId={storedId() ?? ''} contactId={contact._id} />;
}

const buttonClass = (isMain: boolean) => `ui-button ui-button-${isMain ? 'main' : 'outlined'}`;

type LinkProps = Pick<ComponentProps<'a'>, 'href' | 'onClick' | 'aria-label'>;

interface ContactActionsProps {
  readonly contact: Contact;
  /** Links that carry a message replace the plain ones. */
  readonly message?: { readonly whatsapp: LinkProps; readonly email: LinkProps };
}

/** Renders up to three equal buttons, of which the first is filled. */
export function ContactActions({ contact, message }: ContactActionsProps) {
  const { email } = contact;
  const { call, whatsapp } = contactPhone(contact);
  return (
    <div className="contact-actions">
      {whatsapp !== null && (
        <a
          className={buttonClass(true)}
          href={whatsapp}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          {...message?.whatsapp}
        >
          <NetworkIcon network="Whatsapp" iconBaseUrl="" />
          WhatsApp
        </a>
      )}
      {call !== null && (
        <a className={buttonClass(whatsapp === null)} href={call}>
          <Icon name="call" />
          Call
        </a>
      )}
      {email !== '' && (
        <a
          className={buttonClass(whatsapp === null && call === null)}
          href={mailHref(email)}
          {...message?.email}
        >
          <Icon name="email" />
          Email
        </a>
      )}
    </div>
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
      <Button isBusy={isPending} onClick={() => mutate()}>
        Save to phone
      </Button>
      {children}
      <output className={error ? 'error' : undefined}>
        {error?.message ?? (isSuccess && 'Open the file to add it to your contacts')}
      </output>
    </div>
  );
}
