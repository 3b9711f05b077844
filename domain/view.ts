export const VIEWS = ['contacts', 'analytics'] as const;

export type View = (typeof VIEWS)[number];
