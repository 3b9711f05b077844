import { NETWORKS_ON_CARD, nameOnCard } from './network.ts';

/** The kind of a visit itself. Every other kind is the label of a control that a visitor uses. */
export const OPEN_KIND = 'Open';
const CONTROL_KINDS = ['Save', 'Connect', 'Call', 'Email'] as const;

/** The kinds of the networks, in the order of the public card. */
export const NETWORK_KINDS: readonly string[] = NETWORKS_ON_CARD.map(nameOnCard);

/** The kinds of events that are counted on a public card (docs/product.md#analytics-view). */
export const VISIT_KINDS: readonly string[] = [OPEN_KIND, ...CONTROL_KINDS, ...NETWORK_KINDS];

/** The kind of the number of different visitors in a day. No browser sends it. */
export const UNIQUE_KIND = 'Unique';

/** The most days that the view shows, today included. */
export const VISIT_DAYS_MAX = 90;
