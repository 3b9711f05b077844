import { useState } from 'react';
import type { MouseEvent } from 'react';

import { downloadAccount } from '#contract/account.ts';
import { PATHS } from '#domain/path.ts';
import { failureSentence, hasSessionEnded } from '#web/http/failure.ts';
import { saveFile } from '#web/http/save-file.ts';
import { storedId } from '#web/http/session.ts';
import { useLoginRedirect } from '#web/profile/use-login-redirect.ts';

const FILE_NAME = 'account-data.zip';

/** The link that downloads the owner's data as a ZIP file. */
export function Download() {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const redirectToLogin = useLoginRedirect();

  const download = async (event: MouseEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setMessage('Your file is being prepared.');
    const result = await saveFile(downloadAccount, { params: { id: storedId() ?? '' } }, FILE_NAME);
    setBusy(false);
    if (hasSessionEnded(result)) redirectToLogin();
    setMessage(result.isSaved ? 'Your file is saved.' : failureSentence(result));
  };

  return (
    <section className="account-section" aria-labelledby="account-download">
      <h2 id="account-download">Your data</h2>
      <p>Your card, your photo, your contacts and your sessions in one ZIP file.</p>
      <a
        className="ui-button ui-button-outlined"
        // The download needs a header, so a link that is opened in a new tab shows this page instead.
        href={PATHS.account}
        aria-disabled={isBusy || undefined}
        onClick={(event) => void download(event)}
      >
        Download everything
      </a>
      <output className="account-message">{message}</output>
    </section>
  );
}
