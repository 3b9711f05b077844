import { NETWORKS_ON_CARD, nameOnCard } from './network.ts';

/**
 * The kinds of events that are counted on a public card. A kind is the label of its control;
 * 'Open' is the visit itself (docs/product.md#analytics-view).
 */
const CONTROL_KINDS = ['Open', 'Save', 'Connect', 'Call', 'Email'] as const;

/** The kinds of the networks, in the order of the public card. */
export const NETWORK_KINDS: readonly string[] = NETWORKS_ON_CARD.map(nameOnCard);

export const VISIT_KINDS: readonly string[] = [...CONTROL_KINDS, ...NETWORK_KINDS];

/** The kind of the number of different visitors in a day. No browser sends it. */
export const UNIQUE_KIND = 'Unique';

/** The most days that the view shows, today included. */
export const VISIT_DAYS_MAX = 90;
