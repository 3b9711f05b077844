import type { Contact } from '#contract/contact.ts';
import { contactTimeMs } from '#domain/contact.ts';
import { mailHref } from '#domain/href.ts';
import { Icon } from '#view/icon.tsx';
import type { ContactColumns } from '#web/shared/contact/row.tsx';
import { arrivalText } from '#web/shared/ui/date-text.ts';
import { contactPhone, usePhoneFormat } from '#web/shared/ui/phone-text.ts';

/** The columns of docs/develop/product.md#dashboard. A phone shows the icons, and a wide window shows the texts. */
export const COLUMNS: ContactColumns<Contact> = {
  isTable: true,
  timeMs: ({ _id }) => contactTimeMs(_id),
  timeText: (date) => arrivalText(date, new Date()),
  otherColumns: [
    { title: 'Company', cell: ({ companyName }) => companyName && <bdi>{companyName}</bdi> },
    { title: 'Email', cell: ({ email }) => email && <Email email={email} /> },
    { title: 'Phone no.', cell: (contact) => contact.mobile && <Mobile contact={contact} /> },
  ],
};

function Email({ email }: { readonly email: string }) {
  return (
    <a href={mailHref(email)}>
      <Icon name="email" />
      <bdi>{email}</bdi>
    </a>
  );
}

function Mobile({ contact }: { readonly contact: Contact }) {
  const { call } = contactPhone(contact);
  const text = <bdi>{usePhoneFormat().formatPhone(contact.mobile)}</bdi>;
  if (call === null) return text;
  return (
    <a href={call}>
      <Icon name="call" />
      {text}
    </a>
  );
}
