import { socialLinks } from '#domain/handle.ts';
import type { SocialMediaHandles } from '#domain/handle.ts';

import type { CardMode } from './card-mode.ts';
import { NetworkIcon } from './icon.tsx';

interface SocialLinksProps {
  readonly handles: SocialMediaHandles;
  readonly iconBaseUrl: string;
  readonly mode: CardMode;
}

/** The networks that are there, as tiles in the public card's order. */
export function SocialLinks({ handles, iconBaseUrl, mode }: SocialLinksProps) {
  const links = socialLinks(handles);
  if (links.length === 0) return null;
  return (
    <ul className="card-socials">
      {links.map(({ network, name, href }) => {
        const tile = (
          <>
            <NetworkIcon network={network} iconBaseUrl={iconBaseUrl} />
            <span>{name}</span>
          </>
        );
        return (
          <li key={network}>
            {mode === 'preview' ? (
              <span className="social-tile">{tile}</span>
            ) : (
              <a className="social-tile" href={href} target="_blank" rel={SOCIAL_REL}>
                {tile}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Whatever a stranger's page is, it gets neither this window, nor our word for it. */
const SOCIAL_REL = 'noopener noreferrer nofollow ugc';
