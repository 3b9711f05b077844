import '#view/card.css';
import './owner-card.css';

import { QRCodeSVG } from 'qrcode.react';
import type { RefObject } from 'react';

import { displayName, displayShort, isLongName } from '#domain/display.ts';
import type { Profile } from '#domain/profile.ts';
import { QR_LEVEL, QR_QUIET_ZONE_MODULES, QR_SIZE_PX } from '#domain/share.ts';
import { Mosaic } from '#view/mosaic.tsx';
import { Portrait } from '#view/portrait.tsx';

// Also in dark mode: many readers cannot read a light code on a dark background.
const QR_FOREGROUND = '#16181d';
const QR_BACKGROUND = '#ffffff';

interface OwnerCardProps {
  readonly profile: Profile;
  /** The URL in the QR code. */
  readonly link: string;
  readonly qrRef: RefObject<SVGSVGElement | null>;
}

/** The dashboard's card with its QR code. */
export function OwnerCard({ profile, link, qrRef }: OwnerCardProps) {
  const { designation, companyName, email, phone } = profile;
  const name = displayName(profile);
  return (
    <article className="owner-card" aria-label="Your card">
      <Mosaic seed={profile._id} className="mosaic owner-card-band" />
      <div className="owner-card-person">
        <Portrait profile={profile} />
        <p className={isLongName(name) ? 'card-name card-name-long' : 'card-name'} dir="auto">
          {name}
        </p>
        {designation !== '' && <p dir="auto">{designation}</p>}
        {companyName !== '' && (
          <p className="owner-card-company" dir="auto">
            {displayShort(companyName)}
          </p>
        )}
        <p className="owner-card-contact">{phone}</p>
        {email !== '' && <p className="owner-card-contact">{displayShort(email)}</p>}
      </div>
      <div className="owner-card-qr">
        <QRCodeSVG
          ref={qrRef}
          value={link}
          size={QR_SIZE_PX}
          level={QR_LEVEL}
          boostLevel={false}
          marginSize={QR_QUIET_ZONE_MODULES}
          bgColor={QR_BACKGROUND}
          fgColor={QR_FOREGROUND}
          aria-label="QR code of your card"
        />
      </div>
    </article>
  );
}
