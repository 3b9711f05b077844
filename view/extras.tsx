import { useContext } from 'react';
import type { ReactNode } from 'react';

import { hasExtras, mapsHref } from '#domain/extras.ts';
import type { CardExtras } from '#domain/extras.ts';

import { CopyButton, OUTSIDE_REL } from './contact-links.tsx';
import type { CardMode } from './contact-links.tsx';
import { Icon } from './icon.tsx';
import { CardTexts } from './language.tsx';

interface ExtraLinksProps {
  readonly extras: CardExtras;
  readonly mode: CardMode;
}

/** Below the tiles (docs/product.md#more-on-your-card). */
export function ExtraLinks({ extras, mode }: ExtraLinksProps) {
  const texts = useContext(CardTexts);
  if (!hasExtras(extras)) return null;
  const { upi, gstin, address } = extras;
  const isLive = mode === 'live';
  const label = (text: string, control: ReactNode) =>
    isLive ? control : <span className="contact-label">{text}</span>;
  return (
    <ul className="contact-links card-extras">
      {upi !== null && (
        <li className="contact-row">
          {label(
            texts.payByUpi,
            <button className="contact-label pay-open" id="pay-open" type="button">
              {texts.payByUpi}
            </button>,
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
          {label(
            texts.address,
            <a
              className="contact-label"
              href={mapsHref(address)}
              target="_blank"
              rel={OUTSIDE_REL}
              aria-describedby="address-value"
              data-kind="Address"
            >
              {texts.address}
            </a>,
          )}
          <bdi className="contact-value" id={isLive ? 'address-value' : undefined}>
            {address}
          </bdi>
        </li>
      )}
    </ul>
  );
}
