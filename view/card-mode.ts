/** 'preview' is the same picture with nothing to press: no links, nothing to focus. */
export type CardMode = 'live' | 'preview';
