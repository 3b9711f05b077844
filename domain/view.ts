/** They replace their placeholder if the operator sets VIEWS (docs/product.md#views). */
export const VIEWS = ['contacts', 'analytics'] as const;

export type View = (typeof VIEWS)[number];
