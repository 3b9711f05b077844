import type { SocialMediaHandles } from './handle.ts';
import type { Network } from './network.ts';
import { NETWORKS } from './network.ts';

/** The names of the three steps in the breadcrumb (docs/product.md#onboarding). */
export const ONBOARDING_STEPS = ['Personal Info', 'Company Info', 'Add Socials'] as const;
const LAST_STEP = ONBOARDING_STEPS.length - 1;

/** The tiles of a card without handles (docs/product.md#onboarding). */
const DEFAULT_TILES: readonly Network[] = ['Whatsapp', 'LinkedIn', 'X', 'Facebook'];

/** Returns the step after the back arrow: never below 0 (docs/product.md#onboarding). */
export function previousStep(step: number): number {
  return Math.max(0, step - 1);
}

/** Returns the step after Next: never past the last. */
export function nextStep(step: number): number {
  return Math.min(LAST_STEP, step + 1);
}

/** Returns a step index from an unknown value, for example the history state; 0 by default. */
export function parseStep(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LAST_STEP
    ? value
    : 0;
}

/**
 * Returns the tiles of the socials step: the four defaults for a card without handles, otherwise
 * the saved ones (docs/product.md#onboarding).
 */
export function initialTiles(handles: SocialMediaHandles): readonly Network[] {
  const saved = networksWithHandle(handles);
  return saved.length === 0 ? DEFAULT_TILES : saved;
}

/**
 * Returns the tiles of a grid of socials: those for the saved handles, then the networks that were
 * added and are not saved yet. A network whose handle was removed keeps its tile.
 */
export function socialTiles(
  saved: SocialMediaHandles,
  current: SocialMediaHandles,
): readonly Network[] {
  const first = initialTiles(saved);
  return [...first, ...networksWithHandle(current).filter((network) => !first.includes(network))];
}

/** Returns the networks that have a handle, in the catalogue's order. */
export function networksWithHandle(handles: SocialMediaHandles): readonly Network[] {
  return NETWORKS.filter((network) => Boolean(handles[network]));
}

/**
 * Returns the networks in the catalogue: those already present are hidden
 * (docs/product.md#edit-profile).
 */
export function catalogueNetworks(present: readonly Network[]): readonly Network[] {
  return NETWORKS.filter((network) => !present.includes(network));
}
