import { displayName } from '#domain/display.ts';
import { upiLink } from '#domain/extras.ts';
import type { Profile } from '#domain/profile.ts';

import { PAY } from './extras.tsx';
import { Icon } from './icon.tsx';
import { createQrCode, qrViewBox } from './qr-code.ts';

const TITLE_ID = 'pay-title';
/** A QR code of a long name is shown larger. */
const DENSE_SIDE_MODULES = 49;

interface PaySheetProps {
  readonly upi: string;
  readonly profile: Profile;
  readonly scriptPath: string;
}

/** Its script is a file of its own (docs/product.md#more-on-your-card). */
export function PaySheet({ upi, profile, scriptPath }: PaySheetProps) {
  const name = displayName(profile);
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
          {PAY}
        </h2>
        <svg className="pay-qr" viewBox={qrViewBox(code)} role="img" aria-label="UPI QR code">
          <path d={code.path} />
        </svg>
        <button className="button button-filled pay-copy" id="pay-copy" type="button" value={upi}>
          <Icon name="copy" />
          Copy UPI ID
        </button>
        <p className="pay-payee">
          You pay <bdi>{name}</bdi>
        </p>
        <p className="pay-id">
          <bdi>{upi}</bdi>
        </p>
        <p className="pay-app" id="pay-app" hidden>
          <a className="button button-outlined" href={link}>
            Open a UPI app
          </a>
          <span>This may fail: some UPI apps refuse links to personal ids.</span>
        </p>
        <button className="popup-close" aria-label="Close">
          <Icon name="close" />
        </button>
      </form>
      <script src={scriptPath} defer />
    </dialog>
  );
}
