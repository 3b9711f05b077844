import type { Profile } from '#domain/profile.ts';

import { About } from './about.tsx';
import { CardActions } from './actions.tsx';
import type { CardMode } from './card-mode.ts';
import { Mosaic } from './mosaic.tsx';
import { Person } from './person.tsx';
import { Reach } from './contact-links.tsx';
import { SocialLinks } from './social-links.tsx';

export interface CardProps {
  readonly profile: Profile;
  /** Where network icons come from; '' draws the product's own. */
  readonly iconBaseUrl: string;
  readonly mode: CardMode;
}

/** A business card: the public page's, and the same in every preview. Fills its box's width. */
export function Card({ profile, iconBaseUrl, mode }: CardProps) {
  return (
    <article className="business-card">
      <Mosaic seed={profile._id} className="mosaic card-band" />
      <div className="card-body">
        <Person profile={profile} mode={mode} />
        <CardActions userId={profile._id} mode={mode} />
        <About bio={profile.bio} mode={mode} />
        <Reach profile={profile} mode={mode} />
        <SocialLinks handles={profile.socialMediaHandles} iconBaseUrl={iconBaseUrl} mode={mode} />
      </div>
    </article>
  );
}
