import { useContext } from 'react';

import { upiLink } from '#domain/extras.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';

import { Icon } from './icon.tsx';
import { CardTexts, fillElements } from './language.tsx';

const TITLE_ID = 'pay-title';

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
  return (
    <dialog className="popup pay" id="pay" aria-labelledby={TITLE_ID}>
      <form method="dialog" noValidate>
        <h2 className="popup-title" id={TITLE_ID}>
          {card.payByUpi}
        </h2>
        {/* The script draws the code of the link below. */}
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
