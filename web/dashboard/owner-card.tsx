import '#view/card.css';
import './owner-card.css';

import { QRCodeSVG } from 'qrcode.react';
import type { RefObject } from 'react';

import { displayName, displayShort, isLongName } from '#domain/display.ts';
import type { Profile } from '#domain/profile.ts';
import { QR_LEVEL, QR_QUIET_ZONE_MODULES, QR_SIZE_PX } from '#domain/share.ts';
import { Mosaic } from '#view/mosaic.tsx';
import { Portrait } from '#view/portrait.tsx';

// The same in dark mode: many readers take no light code on dark ground.
const QR_INK = '#16181d';
const QR_PLATE = '#ffffff';

interface OwnerCardProps {
  readonly profile: Profile;
  /** Where the QR code points. */
  readonly link: string;
  readonly qrRef: RefObject<SVGSVGElement | null>;
}

/** The dashboard's card: who the owner is, and the QR code to hold out. */
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
        <p className="owner-card-reach">{phone}</p>
        {email !== '' && <p className="owner-card-reach">{displayShort(email)}</p>}
      </div>
      <div className="owner-card-qr">
        <QRCodeSVG
          ref={qrRef}
          value={link}
          size={QR_SIZE_PX}
          level={QR_LEVEL}
          boostLevel={false}
          marginSize={QR_QUIET_ZONE_MODULES}
          bgColor={QR_PLATE}
          fgColor={QR_INK}
          aria-label="QR code of your card"
        />
      </div>
    </article>
  );
}
