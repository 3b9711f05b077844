import '#view/any-card.css';
import '#view/extras.css';
import '#view/whole-text.css';
import './draft-card.css';

import type { ReactNode } from 'react';

import type { CardExtras } from '#domain/extras.ts';
import { NO_PHONE_HINT } from '#domain/hint.ts';
import type { Palette } from '#domain/palette.ts';
import { cleanProfileInput } from '#domain/profile.ts';
import type { Profile } from '#domain/profile.ts';
import { Card } from '#view/card.tsx';
import { Portrait } from '#view/portrait.tsx';
import { settings } from '#web/shared/http/settings.ts';

import { usePhoneFormat } from './phone-text.ts';

interface DraftCardProps {
  /** The profile, including what was typed and not saved yet. */
  readonly profile: Profile;
  readonly palette: Palette;
  readonly logo: string;
  readonly extras?: CardExtras;
  readonly portrait?: ReactNode;
}

/**
 * Shows a live preview of the card. Grey lines stand for what is missing, and 'Your name' for a missing name.
 * Other pages call a card without a name 'Unknown'.
 */
export function DraftCard({ profile, palette, logo, extras, portrait }: DraftCardProps) {
  const { formatPhone } = usePhoneFormat();
  const card = cleanProfileInput(profile);
  const isMissing = {
    name: card.name === '',
    role: card.designation === '' && card.companyName === '' && logo === '',
    socials: !Object.values(card.socialMediaHandles).some(Boolean),
  };
  const missing = Object.entries(isMissing).flatMap(([part, is]) => (is ? `draft-no-${part}` : []));
  return (
    <div className={['draft-card', ...missing].join(' ')}>
      {card.phone === '' && <p className="draft-card-note remark">{NO_PHONE_HINT}</p>}
      <Card
        profile={{ ...card, name: card.name || 'Your name' }}
        palette={palette}
        logo={logo}
        extras={extras}
        portrait={portrait ?? <Portrait profile={card} palette={palette} />}
        phoneText={formatPhone(card.phone)}
        secondPhone={extras?.phone ? { text: formatPhone(extras.phone), href: null } : undefined}
        iconBaseUrl={settings().iconBaseUrl}
        mode="preview"
      />
    </div>
  );
}
