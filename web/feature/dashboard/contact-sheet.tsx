import './contact-sheet.css';

import type { Contact } from '#contract/contact.ts';
import { contactFileName, writeContactVcard } from '#domain/vcard.ts';
import { saveBlob } from '#web/shared/http/save-file.ts';
import { ContactActions, SaveToPhoneButton } from '#web/shared/ui/contact-actions.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';
import { usePhones } from '#web/shared/ui/phone-text.ts';

const VCARD_TYPE = 'text/vcard; charset=utf-8';

interface ContactSheetProps {
  readonly contact: Contact;
  readonly onClose: () => void;
}

export function ContactSheet({ contact, onClose }: ContactSheetProps) {
  const { name, companyName, mobile } = contact;
  const { phoneHref, toE164 } = usePhones();
  const save = async () => {
    const phone = phoneHref(mobile) === null ? null : toE164(mobile);
    const file = new Blob([writeContactVcard(contact, phone)], { type: VCARD_TYPE });
    saveBlob(file, contactFileName(name));
    return '';
  };
  return (
    <Dialog title={name} onClose={onClose}>
      <div className="contact-sheet-body">
        {companyName !== '' && <p dir="auto">{companyName}</p>}
        <ContactActions contact={contact} />
        <SaveToPhoneButton save={save} />
      </div>
    </Dialog>
  );
}
