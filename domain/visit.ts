import { NETWORKS_ON_CARD, nameOnCard } from './network.ts';

/** The visit itself. Every other kind is the label of a control that a visitor uses. */
export const OPEN_KIND = 'Open';
export const LINK_KINDS: readonly string[] = ['Call', 'Email', ...NETWORKS_ON_CARD.map(nameOnCard)];

export const VISIT_KINDS: readonly string[] = [OPEN_KIND, 'Save', 'Connect', ...LINK_KINDS];

/** The different visitors in a day. No browser sends it. */
export const UNIQUE_KIND = 'Unique';

/** Today included. */
export const VISIT_DAYS_MAX = 90;
