import '#web/shared/ui/field.css';
import './share-options.css';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, useEffect, useRef } from 'react';
import { Link } from 'react-router';

import { getGoogleWalletLink } from '#contract/wallet.ts';
import { inLanguage, languageName } from '#domain/language/language.ts';
import type { Language } from '#domain/language/language.ts';
import { PATHS } from '#domain/path.ts';
import { QR_PRINT_FILE_NAME, passPath } from '#domain/share.ts';
import { ownerQuery } from '#web/shared/http/query.ts';
import { settings } from '#web/shared/http/settings.ts';
import { cardLink } from '#web/shared/profile/card.ts';
import { LineIcon, Button } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';

import { copyLink, downloadQrForPrint } from './share.ts';

/** One that cannot work here is absent. */
export function ShareOptions({ userId }: { readonly userId: string }) {
  const link = cardLink(userId);
  const { wallets } = settings();
  const [message, setMessage] = useState('');
  const downloadForPrint = () => {
    downloadQrForPrint(link);
    setMessage(`${QR_PRINT_FILE_NAME} saved`);
  };
  return (
    <section className="share-options row" aria-labelledby="share-options-title">
      <h2 id="share-options-title">More ways to share</h2>
      <button type="button" className="text-button" onClick={downloadForPrint}>
        <LineIcon name="print" />
        Download for print
      </button>
      <output className="note message">{message}</output>
      <Link className="text-button" to={PATHS.signature}>
        <LineIcon name="mail" />
        E-mail signature
      </Link>
      {'NDEFReader' in window && <NfcButton link={link} />}
      {wallets.includes('apple') && (
        <a className="text-button" href={passPath(userId)}>
          <LineIcon name="wallet" />
          Add to Apple Wallet
        </a>
      )}
      {wallets.includes('google') && <GoogleWalletLink />}
      <LinkInLanguage link={link} />
    </section>
  );
}

/** A plain link has no language, so that its preview is English. */
function LinkInLanguage({ link }: { readonly link: string }) {
  const { languages } = settings();
  if (languages === undefined) return null;
  return (
    <label className="share-language row">
      <LineIcon name="link" />
      Link in another language
      <select
        className="field-input"
        value=""
        onChange={({ target }) => void copyLink(inLanguage(link, target.value as Language))}
      >
        <option value="" disabled>
          Choose
        </option>
        {(['en', ...languages] as const).map((language) => (
          <option key={language} value={language} lang={language}>
            {languageName(language)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Absent until the server has signed it; requested again when there is a network again. */
function GoogleWalletLink() {
  const { data } = useQuery(ownerQuery(getGoogleWalletLink));
  if (!data) return null;
  return (
    <a className="text-button" href={data.body.url} target="_blank" rel="noopener">
      <LineIcon name="wallet" />
      Add to Google Wallet
    </a>
  );
}

/** TypeScript's library does not declare it (https://w3c.github.io/web-nfc/). */
declare const NDEFReader: new () => {
  write(message: object, options: { readonly signal: AbortSignal }): Promise<void>;
};

const WAITING = 'Hold a tag to the back of your phone until it is written.';
const WRITTEN = 'The tag is written. A phone that touches it opens your card.';
/** By the name of the error. */
const ERRORS: Readonly<Record<string, string>> = {
  NotAllowedError: 'The browser may not use NFC. Allow it in the settings of this site.',
  NotSupportedError: 'This phone has no NFC, or this tag cannot store an address.',
  NotReadableError: 'NFC is off. Turn it on in the settings of the phone.',
};
const OTHER_ERROR = 'The tag was not written. Hold it still, and try again.';

/** The caller checks that the browser has Web NFC. */
function NfcButton({ link }: { readonly link: string }) {
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const { mutate, reset, isIdle, isPending, error } = useMutation({
    mutationFn: () => {
      stop.current?.abort();
      const { signal } = (stop.current = new AbortController());
      const records = [{ recordType: 'url', data: link }];
      return new NDEFReader().write({ records }, { signal });
    },
  });
  const close = () => {
    stop.current?.abort();
    reset();
  };
  return (
    <>
      <button type="button" className="text-button" onClick={() => mutate()}>
        <LineIcon name="nfc" />
        Write to an NFC tag
      </button>
      {!isIdle && (
        <Dialog title="NFC tag" onClose={close}>
          {error === null ? (
            <output>{isPending ? WAITING : WRITTEN}</output>
          ) : (
            <>
              <p role="alert">{ERRORS[error.name] ?? OTHER_ERROR}</p>
              <Button onClick={() => mutate()}>Try again</Button>
            </>
          )}
        </Dialog>
      )}
    </>
  );
}
