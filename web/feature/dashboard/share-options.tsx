import '#web/shared/ui/field.css';
import './share-options.css';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';

import { getGoogleWalletLink } from '#contract/wallet.ts';
import { inLanguage, languageName } from '#domain/language/language.ts';
import type { Language } from '#domain/language/language.ts';
import { PATHS } from '#domain/path.ts';
import { QR_PRINT_FILE_NAME, passPath } from '#domain/share.ts';
import { ownerQuery } from '#web/shared/http/query.ts';
import { settings } from '#web/shared/http/settings.ts';
import { LineIcon } from '#web/shared/ui/button.tsx';

import { NfcButton } from './nfc-button.tsx';
import { copyLink, downloadQrForPrint } from './share.ts';

/** One that cannot work here is absent. */
export function ShareOptions({ userId, link }: { readonly userId: string; readonly link: string }) {
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
