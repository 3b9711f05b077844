import { useContext } from 'react';

import { mapsHref, parseLinks, upiLink } from '#domain/extras.ts';
import type { CardExtras, ExtraLink } from '#domain/extras.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { parseUrl } from '#domain/url.ts';

import { CopyButton, EXTERNAL_LINK_REL, RowLabel } from './contact-links.tsx';
import type { CardMode } from './contact-links.tsx';
import { Icon } from './icon.tsx';
import { CardTexts, fillElements } from './language.tsx';

interface ExtraLinksProps {
  readonly extras: CardExtras;
  readonly mode: CardMode;
}

/** The rows below the tiles (docs/develop/product.md#more-on-your-card). */
export function ExtraLinks({ extras, mode }: ExtraLinksProps) {
  const texts = useContext(CardTexts);
  const { upi, gstin, address } = extras;
  const links = parseLinks(extras.links);
  if (links.length === 0 && upi === null && gstin === null && address === null) return null;
  const isLive = mode === 'live';
  return (
    <ul className="contact-links card-extras">
      {links.map((link) => (
        <LinkRow key={link.label + link.url} {...link} isLive={isLive} />
      ))}
      {upi !== null && (
        <li className="contact-row">
          {isLive ? (
            <button className="contact-label pay-open" id="pay-open" type="button" data-kind="UPI">
              {texts.payByUpi}
            </button>
          ) : (
            <span className="contact-label">{texts.payByUpi}</span>
          )}
          <bdi className="contact-value">{upi}</bdi>
          <Icon name="qr" />
        </li>
      )}
      {gstin !== null && (
        <li className="contact-row">
          <span className="contact-label">GSTIN</span>
          <bdi className="contact-value">{gstin}</bdi>
          {isLive && <CopyButton value={gstin} name={texts.copyGstin} />}
        </li>
      )}
      {address !== null && (
        <li className="contact-row card-address">
          <RowLabel
            href={isLive ? mapsHref(address) : null}
            target="_blank"
            rel={EXTERNAL_LINK_REL}
            aria-describedby="address-value"
            data-kind="Address"
          >
            {texts.address}
          </RowLabel>
          <bdi className="contact-value" id={isLive ? 'address-value' : undefined}>
            {address}
          </bdi>
        </li>
      )}
    </ul>
  );
}

function LinkRow({ label, url, isLive }: ExtraLink & { readonly isLive: boolean }) {
  return (
    <li className="contact-row card-link">
      <RowLabel href={isLive ? url : null} target="_blank" rel={EXTERNAL_LINK_REL} data-kind="Link">
        {label}
      </RowLabel>
      <bdi className="contact-value" data-print={url.replace(/^https?:\/\//, '')}>
        {parseUrl(url)?.hostname.replace(/^www\./, '')}
      </bdi>
    </li>
  );
}

const TITLE_ID = 'pay-title';

interface PaySheetProps {
  readonly texts: Catalogue['page'];
  readonly upi: string;
  /**
   * The payee's name, which is not translated. It is empty for a card without a name, while `name` is the
   * name that is shown.
   */
  readonly payee: string;
  readonly name: string;
  readonly scriptPath: string;
}

/** The script of the sheet is a file of its own (docs/develop/product.md#more-on-your-card). */
export function PaySheet({ texts, upi, payee, name, scriptPath }: PaySheetProps) {
  const card = useContext(CardTexts);
  const link = upiLink(upi, payee);
  return (
    <dialog className="popup pay" id="pay" aria-labelledby={TITLE_ID}>
      <form method="dialog" noValidate>
        <h2 className="popup-title" id={TITLE_ID}>
          {card.payByUpi}
        </h2>
        {/* The script draws the QR code of the link below. */}
        <svg className="pay-qr" role="img" aria-label={texts.upiQrCode}>
          <path />
        </svg>
        <p className="pay-payee">
          {fillElements(texts.youPay, { name: <bdi className="pay-name">{name}</bdi> })}{' '}
          <bdi className="pay-id">{upi}</bdi>
        </p>
        <p className="popup-note pay-app" id="pay-app" hidden>
          <a className="button button-filled" href={link}>
            {texts.openUpiApp}
          </a>
          <span>{texts.mayFail}</span>
        </p>
        <button className="button button-filled pay-copy" type="button" value={upi}>
          <Icon name="copy" />
          {card.copyUpi}
        </button>
        <button className="popup-close" aria-label={texts.close}>
          <Icon name="close" />
        </button>
      </form>
      <script src={scriptPath} defer />
    </dialog>
  );
}
