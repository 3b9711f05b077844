import { NETWORKS_ON_CARD, nameOnCard } from './network.ts';

/** The visit itself. Every other kind is the label of a control that a visitor uses. */
export const OPEN_KIND = 'Open';
const CONTROL_KINDS = ['Save', 'Connect', 'Call', 'Email'] as const;

export const NETWORK_KINDS: readonly string[] = NETWORKS_ON_CARD.map(nameOnCard);

export const VISIT_KINDS: readonly string[] = [OPEN_KIND, ...CONTROL_KINDS, ...NETWORK_KINDS];

/** The different visitors in a day. No browser sends it. */
export const UNIQUE_KIND = 'Unique';

/** Today included. */
export const VISIT_DAYS_MAX = 90;
