import type { SocialMediaHandles } from './handle.ts';
import type { Network } from './network.ts';
import { NETWORKS } from './network.ts';

export const ONBOARDING_STEPS = ['Personal Info', 'Company Info', 'Add Socials'] as const;
/** The history state of the dashboard right after onboarding. */
export const NEW_CARD = { isNewCard: true } as const;

const LAST_STEP = ONBOARDING_STEPS.length - 1;

const DEFAULT_TILES: readonly Network[] = ['Whatsapp', 'LinkedIn', 'X', 'Facebook'];

export function parseStep(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LAST_STEP
    ? value
    : 0;
}

/** Returns the default networks for a card without handles (docs/develop/product.md#onboarding). */
export function initialTiles(handles: SocialMediaHandles): readonly Network[] {
  const saved = networksWithHandle(handles);
  return saved.length === 0 ? DEFAULT_TILES : saved;
}

export function socialTiles(
  saved: SocialMediaHandles,
  current: SocialMediaHandles,
): readonly Network[] {
  const first = initialTiles(saved);
  return [...first, ...networksWithHandle(current).filter((network) => !first.includes(network))];
}

export function networksWithHandle(handles: SocialMediaHandles): readonly Network[] {
  return NETWORKS.filter((network) => Boolean(handles[network]));
}

export function catalogueNetworks(tiles: readonly Network[]): Network[] {
  return NETWORKS.filter((network) => !tiles.includes(network));
}
