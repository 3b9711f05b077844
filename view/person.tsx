import { displayName, displayShort, isLongName } from '#domain/display.ts';
import type { Profile } from '#domain/profile.ts';

import type { CardMode } from './card-mode.ts';
import { Portrait } from './portrait.tsx';

interface PersonProps {
  readonly profile: Profile;
  readonly mode: CardMode;
}

/** Who it is: the portrait, the name, the designation with the company. */
export function Person({ profile, mode }: PersonProps) {
  const Name = mode === 'live' ? 'h1' : 'p';
  const { designation, companyName } = profile;
  const name = displayName(profile);
  return (
    <div className="card-person">
      <Portrait profile={profile} />
      <Name className={isLongName(name) ? 'card-name card-name-long' : 'card-name'} dir="auto">
        {name}
      </Name>
      {(designation !== '' || companyName !== '') && (
        <p className="card-role">
          {designation !== '' && <bdi>{designation}</bdi>}
          {designation !== '' && companyName !== '' && <span className="card-dot"> · </span>}
          {companyName !== '' && <bdi className="card-company">{displayShort(companyName)}</bdi>}
        </p>
      )}
    </div>
  );
}
