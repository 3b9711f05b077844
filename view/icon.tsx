import type { Network } from '#domain/network.ts';

import { NETWORK_PATHS } from './network-paths.ts';

/** Style sheets override this size. */
const ICON_SIDE_PX = 24;

/** The icons fill a box of 16 by 16. Like those of the networks, they come from Bootstrap Icons 1.13. */
const ICON_PATHS = {
  call: 'M3.65 1.33a.7.7 0 0 0-1.01-.06L1.6 2.3a1.7 1.7 0 0 0-.45 1.77 18 18 0 0 0 4.17 6.6 17.6 17.6 0 0 0 6.61 4.18c.6.2 1.29.03 1.77-.45l1.04-1.04a.7.7 0 0 0-.07-1.01l-2.3-1.8a.7.7 0 0 0-.58-.12l-2.2.55a1.8 1.8 0 0 1-1.65-.46L5.48 8.06a1.8 1.8 0 0 1-.46-1.66l.55-2.19a.7.7 0 0 0-.12-.58zM1.88.5A1.75 1.75 0 0 1 4.5.67l1.79 2.31c.33.42.45.97.32 1.5l-.55 2.18a.7.7 0 0 0 .18.65l2.45 2.45a.7.7 0 0 0 .65.18l2.19-.54a1.8 1.8 0 0 1 1.49.31l2.3 1.8c.84.64.91 1.86.17 2.6l-1.03 1.04a2.8 2.8 0 0 1-2.88.7 18.6 18.6 0 0 1-7.01-4.42 18.6 18.6 0 0 1-4.42-7 2.8 2.8 0 0 1 .7-2.88z',
  email:
    'M2 2h12a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2m0 1a1 1 0 0 0-1 1v8a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V4a1 1 0 0 0-1-1zM1 4.2l7 4.2 7-4.2v1.2L8 9.6 1 5.4z',
  save: 'M6 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6m2-3a2 2 0 1 1-4 0 2 2 0 0 1 4 0m4 8c0 1-1 1-1 1H1s-1 0-1-1 1-4 6-4 6 3 6 4m-1 0c0-.25-.15-.99-.83-1.67C9.52 10.68 8.29 10 6 10s-3.52.68-4.17 1.33A2.7 2.7 0 0 0 1 13zm2.5-8a.5.5 0 0 1 .5.5V7h1.5a.5.5 0 0 1 0 1H14v1.5a.5.5 0 0 1-1 0V8h-1.5a.5.5 0 0 1 0-1H13V5.5a.5.5 0 0 1 .5-.5',
  connect:
    'M6 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6m2-3a2 2 0 1 1-4 0 2 2 0 0 1 4 0m4 8c0 1-1 1-1 1H1s-1 0-1-1 1-4 6-4 6 3 6 4m-1 0c0-.25-.15-.99-.83-1.67C9.52 10.68 8.29 10 6 10s-3.52.68-4.17 1.33A2.7 2.7 0 0 0 1 13zM10 2a3 3 0 0 1 0 6v-1a2 2 0 0 0 0-4zm2 7c3.3.4 4 3 4 4 0 1-1 1-1 1h-2v-1h2c0-.5-.6-2.3-3-3z',
  copy: 'M6 0h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V1a1 1 0 0 1 1-1m0 1v9h9V1zM1 5h3v1H1v9h9v-3h1v3a1 1 0 0 1-1 1H1a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1',
  qr: 'M1 1h5v5H1zm1 1v3h3V2zm8-1h5v5h-5zm1 1v3h3V2zM1 10h5v5H1zm1 1v3h3v-3zm7-2h2v2H9zm4 0h2v2h-2zm-2 2h2v2h-2zm-2 2h2v2H9zm4 0h2v2h-2z',
  globe: NETWORK_PATHS.Web,
  close:
    'M2.15 2.85a.5.5 0 1 1 .7-.7L8 7.29l5.15-5.14a.5.5 0 0 1 .7.7L8.71 8l5.14 5.15a.5.5 0 0 1-.7.7L8 8.71l-5.15 5.14a.5.5 0 0 1-.7-.7L7.29 8z',
} as const;

interface NetworkIconProps {
  readonly network: Network;
  /** The URL ends with a slash. '' renders the product's own icons. */
  readonly iconBaseUrl: string;
}

/** The icon is decorative, because the network's name is always next to it. */
export function NetworkIcon({ network, iconBaseUrl }: NetworkIconProps) {
  if (iconBaseUrl === '') return <IconPath path={NETWORK_PATHS[network]} />;
  return (
    <img
      className="icon"
      src={`${iconBaseUrl}${network.toLowerCase()}.svg`}
      width={ICON_SIDE_PX}
      height={ICON_SIDE_PX}
      alt=""
    />
  );
}

export function Icon({ name }: { readonly name: keyof typeof ICON_PATHS }) {
  return <IconPath path={ICON_PATHS[name]} />;
}

function IconPath({ path }: { readonly path: string }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 16 16"
      fill="currentColor"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: `<path d="${path}"/>` }}
    />
  );
}
