import { useState } from 'react';

import type { Contact } from '#contract/contact.ts';
import { contactTimeMs } from '#domain/contact.ts';
import { mailHref } from '#domain/href.ts';
import type { ContactColumns } from '#web/shared/contact/list.tsx';
import { arrivalText, fullText } from '#web/shared/ui/date-text.ts';
import { usePhones } from '#web/shared/ui/phone-text.ts';

/** docs/product.md#dashboard. */
export const COLUMNS: ContactColumns<Contact> = {
  className: 'contact-table',
  person: ({ _id }, name) => (
    <>
      {name}
      <Arrival time={contactTimeMs(_id)} />
    </>
  ),
  others: [
    { title: 'Company', cell: ({ companyName }) => companyName && <bdi>{companyName}</bdi> },
    { title: 'Email', cell: ({ email }) => email && <a href={mailHref(email)}>{email}</a> },
    { title: 'Phone no.', cell: ({ mobile }) => mobile && <Mobile mobile={mobile} /> },
  ],
};

/** Nothing if the id contains no time. */
function Arrival({ time }: { readonly time: number | null }) {
  const [now] = useState(() => new Date());
  if (time === null) return null;
  const date = new Date(time);
  return (
    <time dateTime={date.toISOString()} title={fullText(date)}>
      {arrivalText(date, now)}
    </time>
  );
}

function Mobile({ mobile }: { readonly mobile: string }) {
  const { formatPhone, phoneHref } = usePhones();
  const href = phoneHref(mobile);
  const text = formatPhone(mobile);
  return href === null ? text : <a href={href}>{text}</a>;
}
