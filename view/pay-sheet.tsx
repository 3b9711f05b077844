import { useContext } from 'react';

import { upiLink } from '#domain/extras.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';

import { Icon } from './icon.tsx';
import { CardTexts, fillElements } from './language.tsx';
import { createQrCode, qrViewBox } from './qr-code.ts';

const TITLE_ID = 'pay-title';
/** A QR code of a long name is shown larger. */
const DENSE_SIDE_MODULES = 57;

interface PaySheetProps {
  readonly texts: Catalogue['page'];
  readonly upi: string;
  /** The payee's name, not translated. */
  readonly name: string;
  readonly scriptPath: string;
}

/** The script of the sheet is a file of its own (docs/product.md#more-on-your-card). */
export function PaySheet({ texts, upi, name, scriptPath }: PaySheetProps) {
  const card = useContext(CardTexts);
  const link = upiLink(upi, name);
  const code = createQrCode(link);
  return (
    <dialog className="popup pay" id="pay" aria-labelledby={TITLE_ID}>
      <form
        className={code.side > DENSE_SIDE_MODULES ? 'pay-dense' : undefined}
        method="dialog"
        noValidate
      >
        <h2 className="popup-title" id={TITLE_ID}>
          {card.payByUpi}
        </h2>
        <svg className="pay-qr" viewBox={qrViewBox(code)} role="img" aria-label={texts.upiQrCode}>
          <path d={code.path} />
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
        <button className="button button-filled pay-copy" id="pay-copy" type="button" value={upi}>
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
