import PRODUCT_LOGO from './product-logo.svg?raw';

// The colours of the light theme (tokens.css), for pictures and passes, which have no dark mode.
export const PAPER = '#fbfaf7';
export const INK = '#16181d';
export const MUTED = '#6b6a66';

/** The product's logo: four tiles of 16 x 16 pixels. scripts/icons.mjs makes the icons from it. */
export { PRODUCT_LOGO };
export const PRODUCT_LOGO_PATH = '/favicon.svg';
