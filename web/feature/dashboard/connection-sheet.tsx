import type { Contact } from '#contract/contact.ts';
import { contactFileName, writeContactVcard } from '#domain/vcard.ts';
import { saveBlob } from '#web/shared/http/save-file.ts';
import { ContactActions, ContactSheet, SaveToPhoneButton } from '#web/shared/contact/sheet.tsx';
import { usePhones } from '#web/shared/ui/phone-text.ts';

const VCARD_TYPE = 'text/vcard; charset=utf-8';

interface ConnectionSheetProps {
  readonly contact: Contact;
  readonly onClose: () => void;
}

export function ConnectionSheet({ contact, onClose }: ConnectionSheetProps) {
  const { phoneHref, toE164 } = usePhones();
  const save = async () => {
    const { name, mobile } = contact;
    const phone = phoneHref(mobile) === null ? null : toE164(mobile);
    const file = new Blob([writeContactVcard(contact, phone)], { type: VCARD_TYPE });
    saveBlob(file, contactFileName(name));
    return '';
  };
  return (
    <ContactSheet contact={contact} isDialog onClose={onClose}>
      <SaveToPhoneButton save={save} />
      <ContactActions contact={contact} />
    </ContactSheet>
  );
}
