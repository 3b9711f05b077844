import { useState } from 'react';

import type { OwnContact } from '#contract/contacts-view.ts';
import { writeMailHref, writeWhatsappHref } from '#domain/follow-up.ts';
import { mailHref } from '#domain/href.ts';
import { ContactActions } from '#web/shared/contact/sheet.tsx';
import { logFailure } from '#web/shared/http/report.ts';
import { copyText } from '#web/shared/ui/copy-text.ts';
import { contactPhone } from '#web/shared/ui/phone-text.ts';

interface LinksProps {
  readonly contact: OwnContact;
  readonly text: string;
  readonly onOpen: () => void;
}

export function MessageLinks({ contact, text, onOpen }: LinksProps) {
  const { whatsapp } = contactPhone(contact);
  const mail = writeMailHref(contact.email, text);
  const [copied, setCopied] = useState('');
  const openMail = () => {
    onOpen();
    if (mail === null) void copyMessage(text).then(setCopied);
  };
  return (
    <>
      <ContactActions
        contact={contact}
        message={{
          whatsapp: {
            'aria-label': 'Write on WhatsApp',
            href: writeWhatsappHref(whatsapp ?? '', text),
            onClick: onOpen,
          },
          email: {
            'aria-label': 'Write an email',
            href: mail ?? mailHref(contact.email),
            onClick: openMail,
          },
        }}
      />
      <output className="note">{copied}</output>
    </>
  );
}

/** Returns the sentence to show. */
async function copyMessage(text: string): Promise<string> {
  try {
    await copyText(text);
    return 'This text is too long for a link. We copied it, so paste it into your email.';
  } catch (cause) {
    logFailure('The text was not copied', cause);
    return "This text is too long for a link, and we couldn't copy it. Choose a shorter template.";
  }
}
