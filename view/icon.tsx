import type { Network } from '#domain/network.ts';

import { NETWORK_PATHS } from './network-paths.ts';
import { SIGN_PATHS } from './sign-paths.ts';

/** The side of an icon in CSS pixels; the style sheet may draw it otherwise. */
const ICON_SIDE_PX = 24;

interface NetworkIconProps {
  readonly network: Network;
  /** Where icons come from; '' draws the product's own. */
  readonly iconBaseUrl: string;
}

/** A network's mark: decoration beside its name. */
export function NetworkIcon({ network, iconBaseUrl }: NetworkIconProps) {
  if (iconBaseUrl === '') return <Drawing path={NETWORK_PATHS[network]} />;
  return (
    <img
      className="icon"
      src={iconUrl(network, iconBaseUrl)}
      width={ICON_SIDE_PX}
      height={ICON_SIDE_PX}
      alt=""
    />
  );
}

/** Where an icon set keeps a network's mark: its name in small letters, as SVG. */
function iconUrl(network: Network, iconBaseUrl: string): string {
  return `${iconBaseUrl.replace(/\/$/, '')}/${network.toLowerCase()}.svg`;
}

/** A sign beside a word. */
export function Sign({ name }: { readonly name: keyof typeof SIGN_PATHS }) {
  return <Drawing path={SIGN_PATHS[name]} />;
}

function Drawing({ path }: { readonly path: string }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
