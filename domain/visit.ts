import type { Extra } from './extras.ts';
import { NETWORKS_ON_CARD, nameOnCard } from './network.ts';

/** The visit itself. Every other kind is the label of a control that a visitor uses. */
export const OPEN_KIND = 'Open';
export const LINK_KINDS: readonly string[] = ['Call', 'Email', ...NETWORKS_ON_CARD.map(nameOnCard)];

export const VISIT_KINDS: readonly string[] = [OPEN_KIND, 'Save', 'Connect', ...LINK_KINDS];

const EXTRA_KINDS: Readonly<Partial<Record<Extra, string>>> = {
  links: 'Link',
  upi: 'UPI',
  address: 'Address',
};

export function extraKinds(extras: Iterable<Extra>): string[] {
  return [...extras].flatMap((extra) => EXTRA_KINDS[extra] ?? []);
}

/** Counts the different visitors of a day. The server adds this kind; no browser sends it. */
export const UNIQUE_KIND = 'Unique';

export const VISIT_DAYS_MAX = 90;
