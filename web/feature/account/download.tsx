import { downloadAccount } from '#contract/account.ts';
import { PATHS } from '#domain/path.ts';
import { useDownload } from '#web/shared/profile/use-download.ts';

import { Section } from './section.tsx';

const FILE_NAME = 'account-data.zip';

export function Download() {
  const { isBusy, message, download } = useDownload();
  return (
    <Section
      icon="download"
      title="Your data"
      text="Your card, your photo, your contacts and your sessions in one ZIP file."
    >
      <a
        className="ui-button ui-button-outlined"
        // The download needs a header, so a link that is opened in a new tab shows this page instead.
        href={PATHS.account}
        aria-disabled={isBusy || undefined}
        onClick={(event) => {
          event.preventDefault();
          void download(downloadAccount, {}, FILE_NAME);
        }}
      >
        Download everything
      </a>
      <output className="account-message message">{message}</output>
    </Section>
  );
}
