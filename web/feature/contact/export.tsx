import { exportCsv, exportVcard } from '#contract/contacts-view.ts';
import { PATHS } from '#domain/path.ts';
import { useDownload } from '#web/shared/profile/use-download.ts';

import type { ContactQuery } from './use-contacts.ts';

const FORMATS = [
  { name: 'Export CSV', endpoint: exportCsv, fileName: 'contacts.csv' },
  { name: 'Export vCard', endpoint: exportVcard, fileName: 'contacts.vcf' },
] as const;

export function ExportLinks({ query }: { readonly query: ContactQuery }) {
  const { isBusy, message, download } = useDownload();
  return (
    <div className="contacts-export">
      {FORMATS.map(({ name, endpoint, fileName }) => (
        <a
          key={name}
          className="link"
          // The download needs a header, so a link that is opened in a new tab shows this page instead.
          href={PATHS.contacts}
          aria-disabled={isBusy || undefined}
          onClick={(event) => {
            event.preventDefault();
            void download(endpoint, { body: query }, fileName);
          }}
        >
          {name}
        </a>
      ))}
      <output className="muted">{message}</output>
    </div>
  );
}
