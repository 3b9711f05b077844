import '#web/shared/ui/field.css';
import './share-options.css';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, useEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router';

import { getGoogleWalletLink } from '#contract/wallet.ts';
import { withLanguageQuery, languageName } from '#domain/language/language.ts';
import type { Language } from '#domain/language/language.ts';
import { PATHS } from '#domain/path.ts';
import { QR_PRINT_FILE_NAME, passPath } from '#domain/share.ts';
import { ownerQuery } from '#web/shared/http/query.ts';
import { sendsCookies, settings } from '#web/shared/http/settings.ts';
import { cardLink } from '#web/shared/profile/card.ts';
import { LineIcon, Button } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';
import { LoadState } from '#web/shared/ui/note-box.tsx';

import { copyLink, downloadQrForPrint } from './share.ts';

/** Leaves out what this browser or this service does not support. */
export function ShareOptions({ userId }: { readonly userId: string }) {
  const link = cardLink(userId);
  const { wallets } = settings();
  const navigate = useNavigate();
  const [message, setMessage] = useState('');
  const downloadForPrint = () => {
    downloadQrForPrint(link);
    setMessage(`${QR_PRINT_FILE_NAME} saved`);
  };
  return (
    <section className="share-options row" aria-labelledby="share-options-title">
      <h2 id="share-options-title">More ways to share</h2>
      {/* The people at a table have their keys in cookies. */}
      {sendsCookies() && (
        <button type="button" className="text-button" onClick={() => void navigate(PATHS.table)}>
          <LineIcon name="plus" />
          Start a table
        </button>
      )}
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
      <CopyLinkInLanguage link={link} />
    </section>
  );
}

/** The plain link names no language, so its preview in a chat is in English. */
function CopyLinkInLanguage({ link }: { readonly link: string }) {
  const { languages } = settings();
  if (languages === undefined) return null;
  return (
    <label className="share-language row">
      <LineIcon name="link" />
      Link in another language
      <select
        className="field-input"
        value=""
        onChange={({ target }) => void copyLink(withLanguageQuery(link, target.value as Language))}
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

/** The server signs the pass, so the link needs a network. It is requested again when the network returns. */
function GoogleWalletLink() {
  const query = useQuery(ownerQuery(getGoogleWalletLink));
  const { data } = query;
  if (!data)
    return (
      <LoadState
        query={query}
        loading="The link to Google Wallet is loading"
        sentence="We couldn't load the link to Google Wallet."
      />
    );
  return (
    <a className="text-button" href={data.body.url} target="_blank" rel="noopener">
      <LineIcon name="wallet" />
      Add to Google Wallet
    </a>
  );
}

/** TypeScript's library does not declare Web NFC (https://w3c.github.io/web-nfc/). */
declare const NDEFReader: new () => {
  write(message: object, options: { readonly signal: AbortSignal }): Promise<void>;
};

const HOLD_TAG = "Hold a tag to the back of your phone until it's written.";
const TAG_WRITTEN = 'Done. A phone that touches the tag opens your card.';
const NFC_ERRORS: Readonly<Record<string, string>> = {
  NotAllowedError: "Your browser can't use NFC here. Allow it in the site's settings.",
  NotSupportedError: "This phone has no NFC, or this tag can't store a link.",
  NotReadableError: "NFC is off. Turn it on in your phone's settings.",
};
const OTHER_NFC_ERROR = "We couldn't write the tag. Hold it still, and try again.";

/** The caller checks that the browser supports Web NFC. */
function NfcButton({ link }: { readonly link: string }) {
  const writing = useRef<AbortController | null>(null);
  useEffect(() => () => writing.current?.abort(), []);
  const { mutate, reset, isIdle, isPending, error } = useMutation({
    meta: { isSave: false },
    mutationFn: () => {
      writing.current?.abort();
      const { signal } = (writing.current = new AbortController());
      const records = [{ recordType: 'url', data: link }];
      return new NDEFReader().write({ records }, { signal });
    },
  });
  const close = () => {
    writing.current?.abort();
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
            <output>{isPending ? HOLD_TAG : TAG_WRITTEN}</output>
          ) : (
            <>
              <p role="alert">{NFC_ERRORS[error.name] ?? OTHER_NFC_ERROR}</p>
              <Button onClick={() => mutate()}>Try again</Button>
            </>
          )}
        </Dialog>
      )}
    </>
  );
}
