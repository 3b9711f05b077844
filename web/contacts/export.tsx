import { useState } from 'react';
import type { MouseEvent } from 'react';

import { exportCsv, exportVcard } from '#contract/contacts.ts';
import { PATHS } from '#domain/path.ts';
import { failureSentence, hasSessionEnded } from '#web/http/failure.ts';
import { saveFile } from '#web/http/save-file.ts';
import { storedId } from '#web/http/session.ts';
import { useLoginRedirect } from '#web/profile/use-login-redirect.ts';

import type { ContactQuery } from './use-contacts.ts';

const FORMATS = [
  { name: 'Export CSV', endpoint: exportCsv, fileName: 'contacts.csv' },
  { name: 'Export vCard', endpoint: exportVcard, fileName: 'contacts.vcf' },
] as const;

/** Saves all contacts, or those that are found, as a file. */
export function ExportLinks({ query }: { readonly query: ContactQuery }) {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const redirectToLogin = useLoginRedirect();

  const save = async (
    event: MouseEvent,
    { endpoint, fileName }: (typeof FORMATS)[number],
  ): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setMessage('Your file is being prepared.');
    const input = { params: { id: storedId() ?? '' }, body: query };
    const result = await saveFile(endpoint, input, fileName);
    setBusy(false);
    if (hasSessionEnded(result)) redirectToLogin();
    setMessage(result.isSaved ? 'Your file is saved.' : failureSentence(result));
  };

  return (
    <div className="contacts-export">
      {FORMATS.map((format) => (
        <a
          key={format.name}
          // A new tab opens this page: the download needs a header.
          href={PATHS.contacts}
          aria-disabled={isBusy || undefined}
          onClick={(event) => void save(event, format)}
        >
          {format.name}
        </a>
      ))}
      <output>{message}</output>
    </div>
  );
}
